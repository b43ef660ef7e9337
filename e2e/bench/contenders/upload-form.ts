import type { Connection } from '../connection.ts'
import type { GuestFile } from '../guest-files.ts'
import { Refusal } from './contender.ts'

// As long as those that browsers make: how fast a body is searched for it depends on that.
const BOUNDARY = '----WebKitFormBoundaryQx7rT2mLw9KdPz4V'
const field = (name: string, value: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** Sends an upload form as a browser does; resolves with the answer's headers when it is 201. */
export const sendForm = async (
  connection: Connection,
  url: string,
  { eventId, photoCredit }: { eventId: string; photoCredit: string },
  file: GuestFile,
  headers: Record<string, string> = {},
): Promise<Record<string, string | string[] | undefined>> => {
  const head = Buffer.from(
    field('eventId', eventId) +
      field('photoCredit', photoCredit) +
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="media"; filename="${file.name}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  )
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const answer = await connection.post(
    url,
    {
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      'Content-Length': head.length + file.size + tail.length,
      ...headers,
    },
    [head, ...file.chunks, tail],
  )
  if (answer.status !== 201)
    throw new Refusal(answer.status, { retryAfter: answer.headers['retry-after'], body: answer.body })
  return answer.headers
}
