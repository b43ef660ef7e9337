import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('corpus/multipart/', import.meta.url)

// Stands in the corpus for the id of the event that the bodies are sent to, which is as long.
const EVENT_ID = 'e'.repeat(24)

/** An upload request: the value of its Content-Type, and its body as it goes over the wire. */
export interface MultipartBody {
  contentType: string
  body: Buffer<ArrayBuffer>
}

/** One of the corpus; its file is named by the status of its answer and what is odd about it. */
export interface CorpusEntry extends MultipartBody {
  name: string
  status: number
}

const parse = (file: Buffer): MultipartBody => {
  const end = file.indexOf('\r\n\r\n')
  const contentType = file.subarray(0, end).toString('latin1').replace('Content-Type: ', '')
  return { contentType, body: Buffer.from(file.subarray(end + 4)) }
}

/** The request as the corpus keeps it. */
export const asCorpusFile = ({ contentType, body }: MultipartBody): Buffer =>
  Buffer.concat([Buffer.from(`Content-Type: ${contentType}\r\n\r\n`, 'latin1'), body])

export const corpus: readonly CorpusEntry[] = readdirSync(folder)
  .filter((file) => file.endsWith('.http'))
  .sort()
  .map((file) => ({
    name: file.replace('.http', ''),
    status: Number(file.slice(0, 3)),
    ...parse(readFileSync(new URL(file, folder))),
  }))

/** The request with an event's true id in the place of the corpus's. */
export const forEvent = ({ contentType, body }: MultipartBody, eventId: string): MultipartBody => ({
  contentType,
  body: Buffer.from(
    body
      .toString('latin1')
      .replaceAll(EVENT_ID, eventId)
      .replaceAll(EVENT_ID.toUpperCase(), eventId.toUpperCase()),
    'latin1',
  ),
})
