import { request, type Agent, type IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { buildUploadForm } from '@confetti/test-kit/upload-form'
import type { GuestResponse } from './check-response.ts'
import type { GuestFile } from './guest-file.ts'

interface Options {
  /** The URL of the gateway. */
  api: string
  agent: Agent
  eventId: string
  credit: string
  file: GuestFile
  guestToken?: string
  signal: AbortSignal
}

/** Streams a file as an upload form. Resolves with undefined if the connection breaks before a whole response. */
export const sendUpload = ({
  api,
  agent,
  eventId,
  credit,
  file,
  guestToken,
  signal,
}: Options): Promise<GuestResponse | undefined> => {
  const form = buildUploadForm({ eventId, credit, name: file.name })
  const clientRequest = request(`${api}/api/uploads`, {
    method: 'POST',
    agent,
    signal,
    headers: {
      'Content-Type': form.contentType,
      ...(guestToken && { 'X-Guest-Token': guestToken }),
      'Content-Length': form.contentLengthFor(file.size),
    },
  })
  const body = async function* () {
    yield form.head
    yield* file.chunks()
    yield form.end
  }
  // Errors are handled below. The response may arrive before the whole body is sent.
  pipeline(body, clientRequest).catch(() => undefined)
  return new Promise((resolve) => {
    const onConnectionLost = (): void => resolve(undefined)
    clientRequest.on('error', onConnectionLost).on('close', onConnectionLost)
    clientRequest.on('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text })
        // Browsers, too, stop sending when the response ends before the request.
        if (!clientRequest.writableFinished) clientRequest.destroy()
      })
      response.on('error', onConnectionLost)
    })
  })
}
