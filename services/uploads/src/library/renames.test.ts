import { expect, test } from '@jest/globals'
import type { Deps } from '../deps.ts'
import type { Feed } from '../feed/feed.ts'
import { createLibrary } from './library.ts'

const EVENT = { _id: 'event' } as never

/** A library whose renames end when `finish` is called. */
const openLibrary = () => {
  const renamed: string[] = []
  let finish = (): void => undefined
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const library = createLibrary(
    {
      config: { MAX_CREDIT_CHARACTERS: 100 },
      clock: () => new Date(0),
      events: { get: () => Promise.resolve(EVENT) },
      guestLimits: { renames: { consume: () => Promise.resolve() } },
      metrics: { renamed: () => undefined },
      uploads: {
        listSentBy: (_: string, guestId: string) => Promise.resolve([guestId]),
        listUnder: (_: string, credit: string) => Promise.resolve([credit]),
        rename: async (id: string, credit: string) => {
          renamed.push(`${id} to ${credit}`)
          await isFinished
          return true
        },
      },
    } as unknown as Deps,
    {} as Feed,
  )
  return { library, renamed, finish }
}
const refusal = { kind: 'too_many_requests', retryAfterSeconds: 5 }

test('When a guest renames again before it is done, then it is refused, and other guests are not', async () => {
  const { library, renamed, finish } = openLibrary()
  const rename = (guestId: string, photoCredit: string) =>
    library.renameSent(guestId, { eventId: 'event', photoCredit })
  const first = [rename('anna', 'Anna'), rename('ben', 'Ben')]
  await expect(rename('anna', 'Ann')).rejects.toMatchObject(refusal)
  finish()
  expect(await Promise.all(first)).toEqual([1, 1])
  expect(await rename('anna', 'Ann')).toBe(1)
  expect(renamed).toEqual(['anna to Anna', 'ben to Ben', 'anna to Ann'])
})

test('When members rename in an event twice at once, then the second is refused', async () => {
  const { library, renamed, finish } = openLibrary()
  const first = library.renameCredit(EVENT, { from: 'Ana', to: 'Anna' })
  await expect(library.renameCredit(EVENT, { from: 'Bne', to: 'Ben' })).rejects.toMatchObject(refusal)
  finish()
  expect(await first).toBe(1)
  expect(renamed).toEqual(['Ana to Anna'])
})
