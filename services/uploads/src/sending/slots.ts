import { unavailable } from '@confetti/service-kit'

/**
 * Lets at most `count` guests be served at once; further ones wait in order of arrival, and get `unavailable` after
 * `timeoutMs`. (The semaphores of libraries keep a caller in their queue after its time is over, until there is a slot: while
 * slow guests have all slots, that queue grows with each call that is sent again.)
 */
export const createSlots = (count: number, timeoutMs: number) => {
  let used = 0
  /** Those who wait, by what gives them a slot. */
  const waiting = new Set<() => void>()

  const release = (): void => {
    const [admitNext] = waiting
    if (admitNext) admitNext()
    else used -= 1
  }
  /** Resolves with a function that ends the use of a slot. */
  const acquire = (): Promise<() => void> => {
    if (used < count) {
      used += 1
      return Promise.resolve(release)
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        clearTimeout(timer)
        waiting.delete(admit)
        resolve(release)
      }
      const timer = setTimeout(() => {
        waiting.delete(admit)
        reject(unavailable('Many photos are arriving right now. Please try again in a moment.'))
      }, timeoutMs)
      waiting.add(admit)
    })
  }

  return {
    used: (): number => used,
    waiting: (): number => waiting.size,
    acquire,
    /** Does `work` in a slot. */
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      const end = await acquire()
      return work().finally(end)
    },
  }
}
export type Slots = ReturnType<typeof createSlots>
