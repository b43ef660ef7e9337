import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** As many as the page asks for. */
const PAGE_SIZE = 60

interface Poll {
  /** 0 if the connection broke. */
  status: number
  /** Until the answer is there. */
  ms: number
  /** Of the answer, with its headers. */
  bytes: number
}

/** A guest who looks at a gallery as the page does, on one kept connection. */
export interface GalleryViewer {
  /** Asks for the first page, and later for what has changed. */
  poll: () => Promise<Poll>
  close: () => void
}

const decode = (body: Buffer, encoding: string | undefined): string => {
  if (encoding === 'br') return brotliDecompressSync(body).toString()
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString()
}

export const openGalleryViewer = (gateway: string, eventId: string, guestToken: string): GalleryViewer => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let version: string | undefined
  let etag: string | undefined

  const get = (): Promise<Poll & { body?: string }> =>
    new Promise((resolve) => {
      const startedAt = performance.now()
      const since = version === undefined ? '' : `&since=${version}`
      const url = `${gateway}/api/events/${eventId}/gallery?limit=${PAGE_SIZE}${since}`
      const headers = {
        'Accept-Encoding': 'gzip, deflate, br',
        'X-Guest-Token': guestToken,
        ...(etag && { 'If-None-Match': etag }),
      }
      const failed = (): void => resolve({ status: 0, ms: performance.now() - startedAt, bytes: 0 })
      let socket: Socket | undefined
      let bytesBefore = 0
      request(url, { agent, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', failed)
        response.on('end', () => {
          if (typeof response.headers.etag === 'string') etag = response.headers.etag
          const body = decode(Buffer.concat(chunks), response.headers['content-encoding'])
          const bytes = (socket?.bytesRead ?? 0) - bytesBefore
          resolve({ status: response.statusCode ?? 0, ms: performance.now() - startedAt, bytes, body })
        })
      })
        .on('socket', (used) => {
          socket = used
          bytesBefore = used.bytesRead
        })
        .on('error', failed)
        .end()
    })

  return {
    poll: async () => {
      const { body, ...poll } = await get()
      if (poll.status === 200 && body) ({ version } = JSON.parse(body) as { version?: string })
      return poll
    },
    close: () => agent.destroy(),
  }
}
