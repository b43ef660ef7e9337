import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('corpus/multipart/', import.meta.url)

// The corpus contains this placeholder, which is as long as an id, instead of the id of an event.
const EVENT_ID_PLACEHOLDER = 'e'.repeat(24)

/** An upload request: the value of its Content-Type header, and its body as it is sent. */
export interface MultipartBody {
  contentType: string
  body: Buffer<ArrayBuffer>
}

/** A request of the corpus. The name of its file starts with the expected status of the response. */
export interface CorpusEntry extends MultipartBody {
  name: string
  status: number
}

const parse = (file: Buffer): MultipartBody => {
  const end = file.indexOf('\r\n\r\n')
  const contentType = file.subarray(0, end).toString('latin1').replace('Content-Type: ', '')
  return { contentType, body: Buffer.from(file.subarray(end + 4)) }
}

/** Serialises a request into the format of the corpus. */
export const toCorpusFile = ({ contentType, body }: MultipartBody): Buffer =>
  Buffer.concat([Buffer.from(`Content-Type: ${contentType}\r\n\r\n`, 'latin1'), body])

export const corpus: readonly CorpusEntry[] = readdirSync(folder)
  .filter((file) => file.endsWith('.http'))
  .sort()
  .map((file) => ({
    name: file.replace('.http', ''),
    status: Number(file.slice(0, 3)),
    ...parse(readFileSync(new URL(file, folder))),
  }))

/** Replaces the placeholder by the id of an event. */
export const withEventId = ({ contentType, body }: MultipartBody, eventId: string): MultipartBody => ({
  contentType,
  body: Buffer.from(
    body
      .toString('latin1')
      .replaceAll(EVENT_ID_PLACEHOLDER, eventId)
      .replaceAll(EVENT_ID_PLACEHOLDER.toUpperCase(), eventId.toUpperCase()),
    'latin1',
  ),
})
