import type { TestEvent } from '../smoke/test-event.ts'
import type { GuestFile } from './guest-files.ts'
import { newFormGuest } from './targets/form-guest.ts'

const GUESTS = 20

/** Calls `work` for each item, at most `concurrency` at once. `slot` is below `concurrency`. */
export const mapConcurrently = async <T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, slot: number) => Promise<void>,
) => {
  const queue = items.values()
  const workThroughQueue = async (slot: number): Promise<void> => {
    for (const item of queue) await work(item, slot)
  }
  await Promise.all(Array.from({ length: concurrency }, (_, slot) => workThroughQueue(slot)))
}

/** Sends files to an event in forms, as 20 guests do. */
export const sendAll = async (
  api: string,
  { event }: Pick<TestEvent, 'event'>,
  files: readonly GuestFile[],
): Promise<void> => {
  const guests = Array.from({ length: GUESTS }, (_, index) =>
    newFormGuest(api, { eventId: event._id, photoCredit: `Guest ${index}` }),
  )
  await mapConcurrently(files, GUESTS, async (file, slot) => {
    await guests[slot]?.send(file)
  })
  for (const guest of guests) guest.close()
}
