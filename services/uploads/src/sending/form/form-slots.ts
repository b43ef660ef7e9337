import { MB } from '@confetti/contracts'
import { unavailable } from '@confetti/service-kit'
import { Semaphore, withTimeout } from 'async-mutex'

/** What is sent to blob storage by one call. */
const BUFFER_BYTES = MB / 2
/** Memory of a form besides its buffer: a read of 64 kB in its socket, and another in the parser. */
const REQUEST_BYTES = 128 * 1_024
const FORM_BYTES = BUFFER_BYTES + REQUEST_BYTES

/**
 * Lets as many forms be read at once as fit into `limitBytes` of memory; further ones wait, unread, in order of arrival. A
 * form has one buffer, however large its files are.
 */
export const createFormSlots = (limitBytes: number, timeoutMs: number) => {
  const count = Math.floor(limitBytes / FORM_BYTES)
  const slots = withTimeout(
    new Semaphore(count),
    timeoutMs,
    unavailable('Many photos are arriving right now. Please try again in a moment.'),
  )
  return {
    limitBytes,
    usedBytes: (): number => (count - slots.getValue()) * FORM_BYTES,
    /** Resolves with the buffer of a form and a function that ends its use. Throws `unavailable` after `timeoutMs`. */
    acquire: async (): Promise<{ buffer: Buffer; release: () => void }> => {
      const [, release] = await slots.acquire()
      return { buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES), release }
    },
  }
}
export type FormSlots = ReturnType<typeof createFormSlots>
