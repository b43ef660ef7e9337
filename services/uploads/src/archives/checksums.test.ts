import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import { createChecksums } from './checksums.ts'

const upload = (_id: string) => ({
  _id,
  filename: `event/${_id}.jpg`,
  photoCredit: 'Table 4',
  size: 1,
  capture: { capturedAt: new Date(0), captureZone: 'UTC' },
})

test('When the checksums of two events are being computed, then a call for a third and a second call for one of them wait, and others do not', async () => {
  const finish = new Map<string, () => void>()
  const computeCrc32 = (id: string) =>
    new Promise<number>((resolve) => {
      finish.set(id, () => resolve(7))
    })
  const complete = createChecksums({
    uploads: { setCrc32: () => Promise.resolve() },
    blobs: { computeCrc32 },
    clock: () => new Date(0),
    logger: { warn: () => undefined },
  } as unknown as Deps)

  const first = complete('event 1', [upload('1')])
  const second = complete('event 2', [upload('2')])
  await expect(complete('event 1', [upload('3')])).rejects.toMatchObject({ code: 'archive_preparing' })
  await expect(complete('event 3', [upload('4')])).rejects.toMatchObject({ code: 'archive_preparing' })
  // Nothing has to be computed for it.
  expect(await complete('event 3', [{ ...upload('5'), crc32: 5 }])).toMatchObject([{ crc32: 5 }])

  finish.get('1')?.()
  expect(await first).toMatchObject([{ _id: '1', crc32: 7 }])
  const third = complete('event 3', [upload('4')])
  finish.get('4')?.()
  finish.get('2')?.()
  expect(await Promise.all([second, third])).toMatchObject([[{ crc32: 7 }], [{ crc32: 7 }]])
})
