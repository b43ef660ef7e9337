import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

interface HttpResponse {
  /** 0 if the connection broke. */
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

export interface ConnectionOptions {
  /** Upload bandwidth, shared by all requests in progress; unlimited unless given. */
  bytesPerSecond?: number | undefined
  /** How many connections to each server; 1 unless given. */
  maxSockets?: number
}

export interface Connection {
  send: (
    method: 'POST' | 'PUT',
    url: string,
    headers: Record<string, string | number>,
    chunks: readonly Buffer[],
  ) => Promise<HttpResponse>
  close: () => void
}

const THROTTLE_INTERVAL_MS = 250
const RESPONSE_TIMEOUT_MS = 300_000

/** Opens persistent HTTP/1.1 connections, each for one request at a time, as one phone has. */
export const openConnection = ({ bytesPerSecond, maxSockets = 1 }: ConnectionOptions = {}): Connection => {
  const agent = new Agent({ keepAlive: true, maxSockets })
  let sendingCount = 0

  const pieceBytes = (): number =>
    bytesPerSecond ? Math.ceil((bytesPerSecond * THROTTLE_INTERVAL_MS) / 1_000 / sendingCount) : Infinity
  const splitForThrottling = function* (chunks: readonly Buffer[]) {
    for (const chunk of chunks)
      for (let start = 0; start < chunk.length;) {
        const piece = chunk.subarray(start, start + pieceBytes())
        yield piece
        start += piece.length
      }
  }

  return {
    send: (method, url, headers, chunks) =>
      new Promise<HttpResponse>((resolve) => {
        const onError = (error: Error): void => resolve({ status: 0, headers: {}, body: error.message })
        const clientRequest = request(url, { method, agent, headers, timeout: RESPONSE_TIMEOUT_MS })
        clientRequest.on('error', onError)
        clientRequest.on('timeout', () => clientRequest.destroy(new Error('timeout')))
        clientRequest.on('response', (response) => {
          const body: Buffer[] = []
          response.on('data', (chunk: Buffer) => body.push(chunk))
          response.on('error', onError)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(body).toString(),
            }),
          )
        })
        const sendBody = async (): Promise<void> => {
          for (const piece of splitForThrottling(chunks)) {
            if (clientRequest.destroyed) return
            clientRequest.write(piece)
            if (bytesPerSecond) await sleep(THROTTLE_INTERVAL_MS)
          }
          clientRequest.end()
        }
        sendingCount += 1
        void sendBody().finally(() => (sendingCount -= 1))
      }),
    close: () => agent.destroy(),
  }
}
