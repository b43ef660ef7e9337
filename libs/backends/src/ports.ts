import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'

const given = new Set<number>()

/** Whether 127.0.0.1 has nobody listening on the port. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** A port on 127.0.0.1 that nobody listens on; never the same one twice in this process. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    // Below the range from which systems take ports for outgoing connections: one of those could
    // otherwise sit on a server's port while it is stopped, and keep it from coming back.
    const port = randomInt(20_000, 30_000)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}

/** What a server on 127.0.0.1 answers first to the given bytes (latin1); undefined if nothing within 2 s. */
export const ask = (port: number, bytes: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'))
    const settle = (answer?: string) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(2000, () => settle())
    socket.once('data', (data) => settle(data.toString('latin1')))
    socket.once('error', () => settle())
    socket.once('close', () => settle())
  })
