import { buildUploadForm } from '@confetti/test-kit/upload-form'
import type { Connection } from '../connection.ts'
import type { GuestFile } from '../guest-files.ts'
import { UploadError } from './target.ts'

/** Sends an upload form as a browser does. Returns the response headers; throws `UploadError` if it is not a 201. */
export const sendForm = async (
  connection: Connection,
  url: string,
  { eventId, photoCredit }: { eventId: string; photoCredit: string },
  file: GuestFile,
  headers: Record<string, string> = {},
): Promise<Record<string, string | string[] | undefined>> => {
  const form = buildUploadForm({ eventId, credit: photoCredit, name: file.name })
  const response = await connection.send(
    'POST',
    url,
    { 'Content-Type': form.contentType, 'Content-Length': form.contentLengthFor(file.size), ...headers },
    [form.head, ...file.chunks, form.end],
  )
  if (response.status !== 201)
    throw new UploadError(response.status, {
      retryAfter: response.headers['retry-after'],
      body: response.body,
    })
  return response.headers
}
