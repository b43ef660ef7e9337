import { unavailable } from '@confetti/service-kit'

/** What a request holds for itself while its file waits: a read of 64 kB in its connection, another in its parser. */
const REQUEST_BYTES = 128 * 1_024

/** A file's place in the line for room: files that began earlier are served before it, later ones after it. */
interface Place {
  /** Takes room at once, or says that there is none. */
  tryTake: (bytes: number) => boolean
  /** Takes room as soon as there is some. */
  take: (bytes: number) => Promise<void>
  giveBack: (bytes: number) => void
}

export interface BytesInFlight {
  /** The most bytes that may be held. */
  ceiling: number
  /** Bytes held now. */
  held: () => number
  /**
   * Resolves when a new request may begin, first come first served, with what it calls when it is through. Throws
   * `unavailable` if there was no room for `waitMs`.
   */
  admit: (waitMs: number) => Promise<() => void>
  /** The place of a file that begins now. */
  newPlace: () => Place
}

/**
 * The ceiling on the memory that requests and their files in transit may fill, in bytes. What has begun may fill all
 * of it; new requests begin only below three quarters, so that those under way are not starved.
 *
 * Nobody deadlocks: who waits for room has handed on what he held of files before, and what requests hold for
 * themselves stays below three quarters. Where room is short, files that began first come to their end, instead of
 * all being stored bit by bit.
 */
export const createBytesInFlight = (ceiling: number): BytesInFlight => {
  let held = 0
  let places = 0
  const waiting: { place: number; bytes: number; proceed: () => void }[] = []
  const arriving = new Set<() => void>()
  const calm = (): boolean => waiting.length === 0 && held < ceiling * 0.75
  const fits = (bytes: number): boolean => held + bytes <= ceiling

  const letIn = (): void => {
    for (let next = waiting[0]; next && fits(next.bytes); next = waiting[0]) {
      waiting.shift()
      held += next.bytes
      next.proceed()
    }
    for (const begin of arriving) {
      if (!calm()) return
      arriving.delete(begin)
      begin()
    }
  }

  const giveBack = (bytes: number): void => {
    held -= bytes
    letIn()
  }

  const placeOf = (place: number): Place => {
    const isFirst = (): boolean => (waiting[0]?.place ?? Infinity) > place
    const tryTake = (bytes: number): boolean => {
      if (!isFirst() || !fits(bytes)) return false
      held += bytes
      return true
    }
    return {
      tryTake,
      take: async (bytes) => {
        if (tryTake(bytes)) return
        await new Promise<void>((proceed) => {
          const after = waiting.findIndex((other) => other.place > place)
          waiting.splice(after < 0 ? waiting.length : after, 0, { place, bytes, proceed })
        })
      },
      giveBack,
    }
  }

  return {
    ceiling,
    held: () => held,
    admit: (waitMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          arriving.delete(begin)
          reject(unavailable('Many photos are arriving right now. Please try again in a moment.'))
        }, waitMs)
        const begin = (): void => {
          clearTimeout(timer)
          held += REQUEST_BYTES
          resolve(() => giveBack(REQUEST_BYTES))
        }
        arriving.add(begin)
        letIn()
      }),
    newPlace: () => placeOf(places++),
  }
}
