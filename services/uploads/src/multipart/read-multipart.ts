import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError, invalid, timedOut, tooLarge, unsupportedType } from '@confetti/service-kit'
import busboy from 'busboy'

export type FormPart =
  | { kind: 'field'; name: string; value: string }
  /** The next part comes when `bytes` were read to their end, or skipped. */
  | { kind: 'file'; sentName: string; bytes: AsyncIterable<Buffer>; skip: () => void }

export interface FormLimits {
  maxFileBytes: number
  maxFiles: number
  /** Over so long a client may send no less than a kilobyte a second. */
  paceWindowMs: number
  /** However it keeps the pace, a request ends after so long. */
  longestMs: number
}

// Enough to name files that are too many in the answer, and still a bound; those beyond it are passed over.
const FILES_BEYOND = 200
const MAX_PARTS = 5_000
const MAX_FIELDS = 20
const MAX_FIELD_BYTES = 16_384
const SLOWEST_BYTES_PER_SECOND = 1_000

const isMultipart = (request: IncomingMessage): boolean =>
  /^multipart\/form-data\s*;/i.test(request.headers['content-type'] ?? '')

const openForm = (
  request: IncomingMessage,
  { maxFileBytes, maxFiles }: Pick<FormLimits, 'maxFileBytes' | 'maxFiles'>,
): busboy.Busboy => {
  if (!isMultipart(request)) throw unsupportedType('Photos and videos are sent as multipart/form-data.')
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      // Less than a read from the network: it waits there, and not here as well.
      fileHwm: 16_384,
      limits: {
        // One byte more, so that a file of exactly the limit differs from one that was cut off.
        fileSize: maxFileBytes + 1,
        files: maxFiles + FILES_BEYOND,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        fieldNameSize: 200,
        parts: MAX_PARTS,
        headerPairs: 50,
      },
    })
  } catch (error) {
    throw invalid('The upload could not be read.', { code: 'malformed_form', cause: error })
  }
}

const formError = (request: IncomingMessage, error: unknown): AppError => {
  if (error instanceof AppError) return error
  return !request.complete && request.destroyed
    ? timedOut('The upload was interrupted.', { code: 'interrupted', cause: error })
    : invalid('The upload could not be read.', { code: 'malformed_form', cause: error })
}

const tooSlow = (): AppError =>
  timedOut('Your files are arriving too slowly. Please check the connection and try again.', {
    code: 'too_slow',
  })

/**
 * The body as it comes. Throws `timedOut` when it comes too slowly, counting only the time in which we wait for the
 * client: each request holds memory that others need.
 */
const paced = async function* (
  request: IncomingMessage,
  { paceWindowMs: windowMs, longestMs }: Pick<FormLimits, 'paceWindowMs' | 'longestMs'>,
) {
  const leastBytes = (SLOWEST_BYTES_PER_SECOND * windowMs) / 1_000
  const began = performance.now()
  let waitedMs = 0
  let bytes = 0
  let asked = performance.now()
  // Not by `pipeline`, which would destroy the request, and the answer with it.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    waitedMs += performance.now() - asked
    bytes += (chunk as Buffer).length
    if (performance.now() - began > longestMs) throw tooSlow()
    if (waitedMs >= windowMs) {
      if (bytes < leastBytes) throw tooSlow()
      waitedMs = 0
      bytes = 0
    }
    yield chunk as Buffer
    asked = performance.now()
  }
}

/**
 * After a malformed header busboy may announce a file that stood behind it, and never end that; with an error, or,
 * where it is the last, without one. Makes the end of such a form an error; returns what ends its last file.
 */
const watchLastFile = (form: busboy.Busboy): ((error: Error) => void) => {
  let last: Readable | undefined
  let ended = true
  form.on('file', (_, file) => {
    last = file
    ended = false
    const push = file.push.bind(file)
    file.push = (chunk, encoding) => {
      ended ||= chunk === null
      return push(chunk, encoding)
    }
  })
  // Its own waits for all files to end.
  const finish = form._final.bind(form)
  form._final = (done) => {
    if (ended) finish(done)
    else done(new Error('A part does not end'))
  }
  return (error) => last?.destroy(error)
}

/**
 * The parts of a multipart request as they stream in. Throws `invalid` for a malformed form, `timedOut` when the
 * client went away or dawdles. Whoever stops early leaves the rest of the body to be drained, so that the client
 * can still read its answer.
 */
export const readMultipart = async function* (
  request: IncomingMessage,
  limits: FormLimits,
): AsyncGenerator<FormPart, void, undefined> {
  const form = openForm(request, limits)
  const parts = new Readable({ objectMode: true, read: () => undefined })
  const bytesOf = async function* (file: Readable) {
    try {
      for await (const chunk of file.iterator({ destroyOnReturn: false })) yield chunk as Buffer
    } catch (error) {
      throw formError(request, error)
    }
  }
  const endLastFile = watchLastFile(form)
  form.on('field', (name, value) => parts.push({ kind: 'field', name, value } satisfies FormPart))
  form.on('file', (_, file, { filename = '' }: { filename?: string }) => {
    // Read or not, an unhandled error of this stream would end the process.
    file.on('error', () => undefined)
    const bytes = bytesOf(file)
    // A stream flows on only when its reader has let go of it.
    const skip = (): void => void bytes.return().then(() => file.resume())
    parts.push({ kind: 'file', sentName: filename, bytes, skip } satisfies FormPart)
  })

  for (const limit of ['fieldsLimit', 'partsLimit'] as const)
    form.once(limit, () =>
      form.destroy(tooLarge('That is too much for one upload. Please send fewer files at once.')),
    )

  const read = pipeline(paced(request, limits), form).then(
    () => parts.push(null),
    (thrown: unknown) => {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      endLastFile(error)
      parts.destroy(error)
    },
  )

  try {
    for await (const part of parts) yield part as FormPart
  } catch (error) {
    throw formError(request, error)
  } finally {
    form.destroy()
    // Not awaited: it ends with the client's next byte, and the answer need not wait for that.
    void read.then(() => request.resume())
  }
}
