import { once } from 'node:events'
import { connect } from 'node:net'
import { orHang } from '@confetti/test-kit'
import { formAround } from '@confetti/test-kit/upload-form'
import type { GuestFile } from './guest-file.ts'
import type { Seen } from './seen.ts'

interface Options {
  /** The gateway. */
  api: string
  eventId: string
  credit: string
  file: GuestFile
}

/** A phone's connection, byte by byte: it can stop, go away and dawdle where it likes. */
export interface RawSender {
  /** Sends the form up to this share of the file, from 0 to 1. */
  sendUpTo: (share: number) => Promise<void>
  /** Sends the bytes that come next. */
  sendMore: (bytes: number) => Promise<void>
  sendRest: () => Promise<void>
  /** Goes away without a word. */
  cut: () => void
  /** Resolves with what the phone sees when the connection has ended or an answer has come. Throws if it hangs. */
  answer: () => Promise<Seen>
}

const readAnswer = (text: string, ms: number): Seen => {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])
  if (!status) return { lost: true, ms }
  const { code = '', message = '' } = JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? '{}') as {
    code?: string
    message?: string
  }
  const retryAfter = /^retry-after: (\d+)/im.exec(text)?.[1]
  return { lost: false, ms, status, code, message, ...(retryAfter && { retryAfter: Number(retryAfter) }) }
}

const bytesOf = async (file: GuestFile): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of file.chunks()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const connectRawSender = async (options: Options): Promise<RawSender> => {
  const { api, file, eventId, credit } = options
  const { hostname, port } = new URL(api)
  const form = formAround({ eventId, credit, name: file.name })
  const bytes = await bytesOf(file)
  const started = performance.now()
  const socket = connect(Number(port), hostname)
  let heard = ''
  const over = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString()
      if (/\r\n\r\n.*\}/s.test(heard)) resolve()
    })
    socket.on('error', () => resolve()).on('close', () => resolve())
  })
  await once(socket, 'connect')
  // Resolves when the bytes have left, or never will.
  const write = (chunk: Uint8Array | string): Promise<void> =>
    new Promise((resolve) => socket.write(chunk, () => resolve()))
  await write(
    [
      'POST /api/uploads HTTP/1.1',
      'Host: localhost',
      `Content-Type: ${form.contentType}`,
      `Content-Length: ${form.lengthWith(file.size)}`,
      '',
      '',
    ].join('\r\n'),
  )
  await write(form.head)
  let at = 0
  const sendMore = (count: number): Promise<void> => {
    const from = at
    at = Math.min(at + count, bytes.length)
    return write(bytes.subarray(from, at))
  }
  const sendUpTo = (share: number): Promise<void> => sendMore(Math.floor(bytes.length * share) - at)
  return {
    sendUpTo,
    sendMore,
    sendRest: async () => {
      await sendUpTo(1)
      await write(form.end)
    },
    cut: () => socket.resetAndDestroy(),
    answer: async () => {
      await orHang(`${file.name} of ${credit}`, (signal) =>
        Promise.race([over, once(signal, 'abort').then(() => signal.throwIfAborted())]),
      )
      return readAnswer(heard, performance.now() - started)
    },
  }
}
