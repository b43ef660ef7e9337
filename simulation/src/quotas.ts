import { BrokenPromise } from './promises.ts'
import type { World } from './world.ts'

/** After so long every replica reads again what an event has and may have. */
const KNOWN_AFTER_MS = 65_000
/** More than any event may have. */
const MAX_ROOM = 10

interface Filling {
  /** Sends another file. Returns the code of a refusal. */
  send: () => Promise<string | undefined>
  /** Deletes a file, if there is one. */
  deleteOne: () => Promise<void>
  /** Lets time pass. */
  pass: (ms: number) => Promise<void>
}

/** Whether events take what their quotas allow, and no more, and whether they count what is there. */
export const createQuotaPromises = ({ databases, listUploads }: World) => {
  const find = (collection: string, eventId: string) =>
    databases.uploads.read(collection).find(({ _id }) => String(_id) === eventId)

  /** How many files an event has. Throws if something else counts. */
  const count = async (eventId: string): Promise<number> => {
    const uploads = await listUploads(eventId)
    const bytes = uploads.reduce((sum, { size }) => sum + size, 0)
    const total = find('eventtotals', eventId)
    if (total && (total.files !== uploads.length || total.bytes !== bytes))
      throw new BrokenPromise(
        `${uploads.length} files count as ${String(total.files)}, ${bytes} bytes as ${String(total.bytes)}`,
      )
    return uploads.length
  }

  /** Sends until an event is full. */
  const fill = async (eventId: string, maxFiles: number, { send, pass }: Filling): Promise<void> => {
    for (let left = MAX_ROOM; left >= 0; left -= 1) {
      await pass(KNOWN_AFTER_MS)
      const files = await count(eventId)
      const refusal = await send()
      if (refusal === 'event_closed') return
      const isFull = refusal === 'quota_exceeded'
      if (isFull !== files >= maxFiles)
        throw new BrokenPromise(
          `An event with ${files} of ${maxFiles} files ${isFull ? 'has no room' : `answers ${refusal ?? 'that it has taken another one'}`}`,
        )
      if (isFull) return
    }
    throw new BrokenPromise('An event that is not full stores nothing')
  }

  return {
    /**
     * Days later, when what processes had not saved when they died has been counted again: an event that has a quota is filled,
     * loses a file, and is filled again.
     */
    check: async (eventId: string, filling: Filling): Promise<void> => {
      const maxFiles = find('events', eventId)?.maxFiles
      if (typeof maxFiles !== 'number') return
      await fill(eventId, maxFiles, filling)
      await filling.deleteOne()
      await fill(eventId, maxFiles, filling)
    },
  }
}
