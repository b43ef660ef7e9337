import type { TestEvent } from '../smoke/test-event.ts'
import { openConnection } from './connection.ts'
import type { GuestFile } from './guest-files.ts'
import { sendForm } from './targets/send-form.ts'

const GUESTS = 20

/** Calls `work` for each item, at most `concurrency` at once. `slot` is below `concurrency`. */
export const mapConcurrently = async <T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, slot: number) => Promise<void>,
) => {
  const queue = [...items]
  const workThroughQueue = async (slot: number): Promise<void> => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item, slot)
  }
  await Promise.all(Array.from({ length: concurrency }, (_, slot) => workThroughQueue(slot)))
}

/** Sends files to an event in forms, as 20 guests do. */
export const sendAll = async (
  api: string,
  { event }: Pick<TestEvent, 'event'>,
  files: readonly GuestFile[],
): Promise<void> => {
  const connections = Array.from({ length: GUESTS }, () => openConnection())
  await mapConcurrently(files, GUESTS, async (file, slot) => {
    const connection = connections[slot]
    const fields = { eventId: event._id, photoCredit: `Guest ${slot}` }
    if (connection) await sendForm(connection, `${api}/api/uploads`, fields, file)
  })
  for (const connection of connections) connection.close()
}
