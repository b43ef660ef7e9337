import { MB } from '@confetti/contracts'
import { unavailable } from '@confetti/service-kit'

/** What is sent to blob storage by one call. */
const BUFFER_BYTES = MB / 2
/** Memory of a form besides its buffer: a read of 64 kB in its socket, and another in the parser. */
const REQUEST_BYTES = 128 * 1_024
const FORM_BYTES = BUFFER_BYTES + REQUEST_BYTES

/**
 * Lets as many forms be read at once as fit into `limitBytes` of memory; further ones wait, unread, in order of arrival. A
 * form has one buffer, however large its files are. (The semaphores of libraries keep a caller in their queue after its time
 * is over, until there is a slot: while slow forms have all slots, that queue grows with each form that is sent again.)
 */
export const createFormSlots = (limitBytes: number, timeoutMs: number) => {
  const count = Math.floor(limitBytes / FORM_BYTES)
  let used = 0
  /** Forms that wait for a slot, by what gives it to them. */
  const waiting = new Set<() => void>()

  const takeSlot = (): Promise<void> => {
    if (used < count) {
      used += 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        clearTimeout(timer)
        waiting.delete(admit)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(admit)
        reject(unavailable('Many photos are arriving right now. Please try again in a moment.'))
      }, timeoutMs)
      waiting.add(admit)
    })
  }
  const releaseSlot = (): void => {
    const [admitNext] = waiting
    if (admitNext) admitNext()
    else used -= 1
  }

  return {
    limitBytes,
    usedBytes: (): number => used * FORM_BYTES,
    /** Resolves with the buffer of a form and a function that ends its use. Throws `unavailable` after `timeoutMs`. */
    acquire: async (): Promise<{ buffer: Buffer; release: () => void }> => {
      await takeSlot()
      try {
        return { buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES), release: releaseSlot }
      } catch (error) {
        releaseSlot()
        throw error
      }
    },
  }
}
export type FormSlots = ReturnType<typeof createFormSlots>
