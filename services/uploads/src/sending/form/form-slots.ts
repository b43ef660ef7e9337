import { MB } from '@confetti/contracts'
import { createSlots } from '../slots.ts'

/** What is sent to blob storage by one call. */
const BUFFER_BYTES = MB / 2
/** Memory of a form besides its buffer: a read of 64 kB in its socket, and another in the parser. */
const REQUEST_BYTES = 128 * 1_024
const FORM_BYTES = BUFFER_BYTES + REQUEST_BYTES

/**
 * Lets as many forms be read at once as fit into `limitBytes` of memory; further ones wait, unread. A form has one buffer,
 * however large its files are.
 */
export const createFormSlots = (limitBytes: number, timeoutMs: number) => {
  const slots = createSlots(Math.floor(limitBytes / FORM_BYTES), timeoutMs)
  return {
    limitBytes,
    usedBytes: (): number => slots.used() * FORM_BYTES,
    /** Resolves with the buffer of a form and a function that ends its use. Throws `unavailable` after `timeoutMs`. */
    acquire: async (): Promise<{ buffer: Buffer; release: () => void }> => {
      const release = await slots.acquire()
      try {
        return { buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES), release }
      } catch (error) {
        release()
        throw error
      }
    },
  }
}
export type FormSlots = ReturnType<typeof createFormSlots>
