import { browserStorage } from '@confetti/api-client'

// What this browser remembers about files that were sent, so that it asks before it sends them again.

const KEY = 'sentHashes'
const MAX_HASHES = 1_000
/** Enough to tell files apart: a mistake costs one call, as the server decides by the whole hash. */
const REMEMBERED_DIGITS = 16

const readHashes = (): string[] => browserStorage.get(KEY)?.split(' ') ?? []
const toEntry = (eventId: string, sha256: string): string =>
  `${eventId}/${sha256.slice(0, REMEMBERED_DIGITS)}`

/** Whether a file with this hash was sent to an event from this browser. It may have been deleted since. */
export const wasSent = (eventId: string, sha256: string): boolean =>
  readHashes().includes(toEntry(eventId, sha256))

export const rememberSent = (eventId: string, sha256: string): void => {
  const entry = toEntry(eventId, sha256)
  const others = readHashes().filter((other) => other !== entry)
  browserStorage.set(KEY, [entry, ...others].slice(0, MAX_HASHES).join(' '))
}
