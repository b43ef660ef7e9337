import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a server answered: 0 where the connection broke. */
interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

export interface Line {
  /** Bytes a second that leave the phone; as many as go through where it is not given. */
  bytesPerSecond?: number | undefined
}

export interface Connection {
  post: (url: string, headers: Record<string, string | number>, chunks: readonly Buffer[]) => Promise<Answer>
  close: () => void
}

const PIECE_MS = 250
const TIME_LIMIT_MS = 300_000

/** One phone: one kept HTTP/1.1 connection, one request at a time. */
export const openConnection = ({ bytesPerSecond }: Line = {}): Connection => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  const pieces = function* (chunks: readonly Buffer[]) {
    const size = bytesPerSecond ? Math.ceil((bytesPerSecond * PIECE_MS) / 1_000) : Infinity
    for (const chunk of chunks)
      for (let start = 0; start < chunk.length; start += size)
        yield chunk.subarray(start, Math.min(chunk.length, start + size))
  }

  return {
    post: (url, headers, chunks) =>
      new Promise<Answer>((resolve) => {
        const broken = (error: Error): void => resolve({ status: 0, headers: {}, body: error.message })
        const sending = request(url, { method: 'POST', agent, headers, timeout: TIME_LIMIT_MS })
        sending.on('error', broken)
        sending.on('timeout', () => sending.destroy(new Error('no answer')))
        sending.on('response', (response) => {
          const body: Buffer[] = []
          response.on('data', (chunk: Buffer) => body.push(chunk))
          response.on('error', broken)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(body).toString(),
            }),
          )
        })
        const send = async (): Promise<void> => {
          for (const piece of pieces(chunks)) {
            if (sending.destroyed) return
            sending.write(piece)
            if (bytesPerSecond) await sleep(PIECE_MS)
          }
          sending.end()
        }
        void send()
      }),
    close: () => agent.destroy(),
  }
}
