import { ApiError, sendForm } from '@confetti/api-client'
import { site } from '@confetti/session'
import type { Sending } from './send-queue.ts'

const STALL_LIMIT_MS = 45_000
// When the last byte has left the phone, a slow line or a proxy may still hold much of it.
const ANSWER_LIMIT_MS = 180_000
const READ_LIMIT_MS = 5_000

/** Browsers report a file that is gone (deleted, or left in a cloud) like a lost connection. */
const isReadable = (file: File): Promise<boolean> =>
  Promise.race([
    file
      .slice(0, 1)
      .arrayBuffer()
      .then(
        () => true,
        () => false,
      ),
    new Promise<boolean>((resolve) => setTimeout(resolve, READ_LIMIT_MS, true)),
  ])

/** Makes the `send` of an event's queue: one file by itself, rejected with what the server says about it. */
export const makeSendFile =
  (eventId: string) =>
  async (file: File, { credit, stamp, signal, onProgress }: Sending): Promise<void> => {
    const form = new FormData()
    form.append('eventId', eventId)
    form.append('photoCredit', credit)
    // Last, so that the server knows where it belongs when it arrives.
    form.append('media', file, file.name)
    try {
      const { rejected } = await sendForm({
        baseUrl: site().apiUrl,
        path: '/api/uploads',
        form,
        // The same for a whole run: browsers keep the answer to a preflight by its address, so 200 files ask once.
        stamp,
        stallLimitMs: STALL_LIMIT_MS,
        answerLimitMs: ANSWER_LIMIT_MS,
        signal,
        onProgress: (sent, total) => onProgress(total > 0 ? (file.size * sent) / total : 0),
      })
      if (rejected[0]) throw new ApiError(400, rejected[0])
    } catch (error) {
      if (error instanceof ApiError && error.status === 0 && !(await isReadable(file)))
        throw new Error('This file cannot be read any more. Please choose it again.', { cause: error })
      throw error
    }
  }
