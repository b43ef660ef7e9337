import { request, type Agent, type IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { formAround } from '@confetti/test-kit/upload-form'
import type { GuestFile } from './guest-file.ts'

export interface Answer {
  status: number
  retryAfter: string | undefined
  text: string
}

interface Sending {
  /** The gateway. */
  api: string
  agent: Agent
  eventId: string
  credit: string
  file: GuestFile
  guestToken?: string
  signal: AbortSignal
}

/** Sends a file as it streams; undefined where the connection broke before there was a whole answer. */
export const exchange = ({
  api,
  agent,
  eventId,
  credit,
  file,
  guestToken,
  signal,
}: Sending): Promise<Answer | undefined> => {
  const form = formAround({ eventId, credit, name: file.name })
  const sending = request(`${api}/api/uploads`, {
    method: 'POST',
    agent,
    signal,
    headers: {
      'Content-Type': form.contentType,
      ...(guestToken && { 'X-Guest-Token': guestToken }),
      'Content-Length': form.lengthWith(file.size),
    },
  })
  const body = async function* () {
    yield form.head
    yield* file.chunks()
    yield form.end
  }
  // What breaks it is seen below; an answer may come before all of it has left.
  pipeline(body, sending).catch(() => undefined)
  return new Promise((resolve) => {
    const lost = (): void => resolve(undefined)
    sending.on('error', lost).on('close', lost)
    sending.on('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text })
        // As browsers do with an answer ahead of the end: nobody wants the rest of what was to be sent.
        if (!sending.writableFinished) sending.destroy()
      })
      response.on('error', lost)
    })
  })
}
