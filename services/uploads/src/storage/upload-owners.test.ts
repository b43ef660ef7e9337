import { newUploadId } from '@confetti/blob-storage'
import { expect, test } from '@jest/globals'
import { openMemoryUploads } from '../../test/memory-uploads.ts'

const eventId = 'a'.repeat(24)
const at = new Date('2026-06-12T20:00:00Z')

const openUploads = () => {
  const { model, uploads } = openMemoryUploads(() => at)
  return {
    uploads,
    /** Stores a photo of a guest. Returns its id. */
    send: async (photoCredit: string, guestId: string): Promise<string> => {
      const _id = newUploadId(eventId, at)
      const file = { originalName: 'a.jpg', contentType: 'image/jpeg', size: 1, sha256: _id } as const
      const times = { uploadedAt: at, timeZone: 'Europe/Berlin', lastModified: at.getTime() }
      await uploads.add([{ _id, eventId, photoCredit, visibility: 'visible', guestId, ...file, ...times }])
      return _id
    },
    ownersOf: async (id: string) => (await model.findById(id).lean())?.guestId,
  }
}

/** Two photos of Ben and one of Anna with the same bytes: one of Ben's is merged into the other, and that into Anna's. */
const mergeTwice = async () => {
  const { uploads, send, ownersOf } = openUploads()
  const [first, second, staying] = [
    await send('Ben', 'ben'),
    await send('Ben', 'ben'),
    await send('Anna', 'anna'),
  ]
  await uploads.mergeInto(first, second, at)
  await uploads.mergeInto(second, staying, at)
  return { uploads, ownersOf, first, second, staying }
}

test('When an upload was merged twice, then a repeated completion has the one that stays', async () => {
  const { uploads, first, second, staying } = await mergeTwice()
  const added = await uploads.findAdded([first, second, staying])
  expect([first, second, staying].map((id) => added.get(id))).toMatchObject([
    { kind: 'duplicate', upload: { _id: staying } },
    { kind: 'duplicate', upload: { _id: staying } },
    { kind: 'repeated', upload: { _id: staying } },
  ])
})

test('When an upload that was merged is taken back and restored, then the one that stays is', async () => {
  const { uploads, ownersOf, first, second, staying } = await mergeTwice()
  for (const id of [first, second]) {
    expect(await ownersOf(staying)).toEqual(['anna', 'ben'])
    expect(await uploads.takeBack(id, 'ben', at)).toBe(true)
    expect(await ownersOf(staying)).toEqual(['anna'])
    expect(await uploads.restore(id, 'ben', at)).toMatchObject({ _id: staying })
    expect(await ownersOf(staying)).toEqual(['anna', 'ben'])
  }
})

test('When an upload was taken back before it was merged twice, then its guest restores the one that stays', async () => {
  const { uploads, send, ownersOf } = openUploads()
  const [first, second, staying] = [
    await send('Ben', 'ben'),
    await send('Ben', 'cleo'),
    await send('Anna', 'anna'),
  ]
  await uploads.takeBack(first, 'ben', at)
  await uploads.mergeInto(first, second, at)
  await uploads.mergeInto(second, staying, at)
  expect(await ownersOf(staying)).toEqual(['anna', 'cleo'])
  expect(await uploads.restore(first, 'stranger', at)).toBeUndefined()
  expect(await uploads.restore(first, 'ben', at)).toMatchObject({ _id: staying })
  expect(await ownersOf(staying)).toEqual(['anna', 'cleo', 'ben'])
})

test('When a guest takes back again what was merged since, or what only others had sent, then the one that stays is still theirs', async () => {
  const { uploads, send, ownersOf } = openUploads()
  const [copy, ofOthers, staying] = [
    await send('Ben', 'ben'),
    await send('Anna', 'anna'),
    await send('Ann', 'ben'),
  ]
  expect(await uploads.takeBack(copy, 'ben', at)).toBe(true)
  await uploads.mergeInto(copy, staying, at)
  await uploads.mergeInto(ofOthers, staying, at)
  for (const id of [copy, ofOthers]) expect(await uploads.takeBack(id, 'ben', at)).toBe(false)
  expect(await ownersOf(staying)).toEqual(['ben', 'anna'])
})
