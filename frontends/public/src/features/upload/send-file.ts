import { ApiError } from '@confetti/api-client'
import { PageError } from '@confetti/ui/failure-text'
import { getText } from '../../texts.ts'
import { isReadable } from './is-readable.ts'
import { loadUploadCode } from './load-upload-code.ts'
import { sendMultipart } from './send-multipart.ts'
import type { SendOptions } from './send-queue.ts'

/**
 * Creates the `send` function of an event's queue. It sends one file straight to blob storage, or by multipart where
 * that is not possible. It rejects with the server's error for the file.
 */
export const createSendFile =
  (eventId: string) =>
  async (file: File, options: SendOptions): Promise<void> => {
    try {
      const sending = await loadUploadCode()
      const outcome = await sending?.sendDirectly(eventId, file, options)
      if (outcome !== 'sent') await sendMultipart(eventId, file, options)
    } catch (error) {
      if (error instanceof ApiError && error.status === 0 && !(await isReadable(file)))
        throw new PageError(() => getText('upload.file.unreadable'), { cause: error })
      throw error
    }
  }
