import { formAround } from '@confetti/test-kit/upload-form'
import type { Connection } from '../connection.ts'
import type { GuestFile } from '../guest-files.ts'
import { Refusal } from './contender.ts'

/** Sends an upload form as a browser does; resolves with the answer's headers when it is 201. */
export const sendForm = async (
  connection: Connection,
  url: string,
  { eventId, photoCredit }: { eventId: string; photoCredit: string },
  file: GuestFile,
  headers: Record<string, string> = {},
): Promise<Record<string, string | string[] | undefined>> => {
  const form = formAround({ eventId, credit: photoCredit, name: file.name })
  const answer = await connection.post(
    url,
    { 'Content-Type': form.contentType, 'Content-Length': form.lengthWith(file.size), ...headers },
    [form.head, ...file.chunks, form.end],
  )
  if (answer.status !== 201)
    throw new Refusal(answer.status, { retryAfter: answer.headers['retry-after'], body: answer.body })
  return answer.headers
}
