import { connect } from 'node:net'

export interface RawAnswer {
  status: number
  head: string
  body: string
}

const chunks = (text: string): { body: string; rest: string } => {
  let [body, rest] = ['', text]
  for (;;) {
    const [, digits = '', after = ''] = /^([\da-f]+)[^\r]*\r\n([^]*)$/i.exec(rest) ?? []
    const size = parseInt(digits, 16)
    if (!size) return { body, rest: after.replace(/^\r\n/, '') }
    body += after.slice(0, size)
    rest = after.slice(size + 2)
  }
}

/** The answers in what came over a connection, in their order. Fails on anything that is no whole answer. */
export const answersIn = (received: string): RawAnswer[] => {
  const answers: RawAnswer[] = []
  for (let rest = received; rest;) {
    const [whole, head = '', status = '0'] = /^(HTTP\/1\.1 (\d{3})[^]*?)\r\n\r\n/.exec(rest) ?? []
    if (!whole) throw new Error(`this is no answer: ${rest.slice(0, 200)}`)
    rest = rest.slice(whole.length)
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    const chunked = /^transfer-encoding: *chunked/im.test(head)
    const body = chunked ? chunks(rest) : { body: rest.slice(0, length), rest: rest.slice(length) }
    if (status !== '100') answers.push({ status: Number(status), head, body: body.body })
    rest = body.rest
  }
  return answers
}

// Whatever else a server takes the bytes for: when it comes to this request, it answers and closes.
const last = 'GET /api/the-last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

/**
 * Sends bytes as they are and, once something has come back, a last request; gives all that comes back until the
 * other side closes, in 20 s at most.
 */
export const sendRaw = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let received = ''
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`still open after 20 s, having received: ${received}`))
    }, 20_000)
    socket.once('data', () => socket.write(last))
    socket.on('data', (chunk) => (received += chunk.toString('latin1')))
    // A reset is an end, too: what came before it counts.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(received)
    })
    socket.write(text, 'latin1')
  })
