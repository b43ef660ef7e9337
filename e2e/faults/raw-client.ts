import { once } from 'node:events'
import { connect } from 'node:net'
import { withHangTimeout } from '@confetti/test-kit'
import { buildUploadForm } from '@confetti/test-kit/upload-form'
import type { CallResult } from './call-result.ts'
import type { GuestFile } from './guest-file.ts'

interface Options {
  /** The URL of the gateway. */
  api: string
  eventId: string
  credit: string
  file: GuestFile
}

/** A client that controls each byte of an upload request: it can stall, disconnect and send slowly at any point. */
export interface RawClient {
  /** Sends the form up to this share of the file, from 0 to 1. */
  sendUpTo: (share: number) => Promise<void>
  /** Sends the next bytes of the file. */
  sendBytes: (count: number) => Promise<void>
  sendRest: () => Promise<void>
  /** Resets the connection. */
  disconnect: () => void
  /** Resolves when a response has arrived or the connection has ended. Throws if neither happens. */
  waitForResult: () => Promise<CallResult>
}

const parseResponse = (text: string, ms: number): CallResult => {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])
  if (!status) return { connectionLost: true, ms }
  const { code = '', message = '' } = JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? '{}') as {
    code?: string
    message?: string
  }
  const retryAfter = /^retry-after: (\d+)/im.exec(text)?.[1]
  return {
    connectionLost: false,
    ms,
    status,
    code,
    message,
    ...(retryAfter && { retryAfter: Number(retryAfter) }),
  }
}

const readBytes = async (file: GuestFile): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of file.chunks()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Connects to the gateway and sends the head of an upload form, up to the first byte of the file. */
export const connectRawClient = async (options: Options): Promise<RawClient> => {
  const { api, file, eventId, credit } = options
  const { hostname, port } = new URL(api)
  const form = buildUploadForm({ eventId, credit, name: file.name })
  const bytes = await readBytes(file)
  const startedAt = performance.now()
  const socket = connect(Number(port), hostname)
  let received = ''
  const ended = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString()
      if (/\r\n\r\n.*\}/s.test(received)) resolve()
    })
    socket.on('error', () => resolve()).on('close', () => resolve())
  })
  await once(socket, 'connect')
  // Resolves when the bytes are sent, or the connection has failed.
  const write = (chunk: Uint8Array | string): Promise<void> =>
    new Promise((resolve) => socket.write(chunk, () => resolve()))
  await write(
    [
      'POST /api/uploads HTTP/1.1',
      'Host: localhost',
      `Content-Type: ${form.contentType}`,
      `Content-Length: ${form.contentLengthFor(file.size)}`,
      '',
      '',
    ].join('\r\n'),
  )
  await write(form.head)
  let position = 0
  const sendBytes = (count: number): Promise<void> => {
    const start = position
    position = Math.min(position + count, bytes.length)
    return write(bytes.subarray(start, position))
  }
  const sendUpTo = (share: number): Promise<void> => sendBytes(Math.floor(bytes.length * share) - position)
  return {
    sendUpTo,
    sendBytes,
    sendRest: async () => {
      await sendUpTo(1)
      await write(form.end)
    },
    disconnect: () => socket.resetAndDestroy(),
    waitForResult: async () => {
      await withHangTimeout(`${file.name} of ${credit}`, (signal) =>
        Promise.race([ended, once(signal, 'abort').then(() => signal.throwIfAborted())]),
      )
      return parseResponse(received, performance.now() - startedAt)
    },
  }
}
