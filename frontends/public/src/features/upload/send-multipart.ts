import { ApiError, sendForm } from '@confetti/api-client'
import { site } from '@confetti/session'
import type { SendOptions } from './send-queue.ts'

const STALL_TIMEOUT_MS = 45_000
// Much longer, because a slow line or a proxy may still buffer bytes that have left the phone.
const RESPONSE_TIMEOUT_MS = 180_000

/** Posts one file as a multipart form, and rejects with the server's error for it. */
export const sendMultipart = async (
  eventId: string,
  file: File,
  { credit, timestamp, signal, onProgress }: SendOptions,
): Promise<void> => {
  const form = new FormData()
  form.append('eventId', eventId)
  form.append('photoCredit', credit)
  // The file is last, so that the server has the other fields before its bytes.
  form.append('media', file, file.name)
  const { rejected } = await sendForm({
    baseUrl: site().apiUrl,
    path: '/api/uploads',
    form,
    // The same for the whole batch: browsers cache preflights by URL, so that 200 files need one.
    timestamp,
    stallTimeoutMs: STALL_TIMEOUT_MS,
    responseTimeoutMs: RESPONSE_TIMEOUT_MS,
    signal,
    onProgress: (sentBytes, totalBytes) =>
      onProgress(totalBytes > 0 ? (file.size * sentBytes) / totalBytes : 0),
  })
  if (rejected[0]) throw new ApiError(400, rejected[0])
}
