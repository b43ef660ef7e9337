import { connect } from 'node:net'

export interface RawResponse {
  status: number
  head: string
  body: string
}

/** Decodes a body with chunked transfer encoding. `rest` is what follows it. */
const decodeChunks = (text: string): { body: string; rest: string } => {
  let [body, rest] = ['', text]
  for (;;) {
    const [, digits = '', after = ''] = /^([\da-f]+)[^\r]*\r\n([^]*)$/i.exec(rest) ?? []
    const size = parseInt(digits, 16)
    if (!size) return { body, rest: after.replace(/^\r\n/, '') }
    body += after.slice(0, size)
    rest = after.slice(size + 2)
  }
}

/** Parses all responses that were received over a connection. Throws on anything that is not a complete response. */
export const parseResponses = (received: string): RawResponse[] => {
  const responses: RawResponse[] = []
  for (let rest = received; rest;) {
    const [headWithEnd, head = '', status = '0'] = /^(HTTP\/1\.1 (\d{3})[^]*?)\r\n\r\n/.exec(rest) ?? []
    if (!headWithEnd) throw new Error(`not an HTTP response: ${rest.slice(0, 200)}`)
    rest = rest.slice(headWithEnd.length)
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    const isChunked = /^transfer-encoding: *chunked/im.test(head)
    const parsed = isChunked ? decodeChunks(rest) : { body: rest.slice(0, length), rest: rest.slice(length) }
    if (status !== '100') responses.push({ status: Number(status), head, body: parsed.body })
    rest = parsed.rest
  }
  return responses
}

// A server that has not closed the connection before responds to this request and closes it.
const closingRequest = 'GET /api/the-last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

/**
 * Sends text over a new connection and, after the first response data, a request that closes the connection. Returns
 * everything that was received. Throws if the connection is still open after 60 s.
 */
export const sendRaw = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let received = ''
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`still open after 60 s, having received: ${received}`))
    }, 60_000)
    socket.once('data', () => socket.write(closingRequest))
    socket.on('data', (chunk) => (received += chunk.toString('latin1')))
    // A connection reset is not a failure: the data received before it counts.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(received)
    })
    socket.write(text, 'latin1')
  })
