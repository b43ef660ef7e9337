import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'

const allocatedPorts = new Set<number>()

/** Whether no process listens on the port of 127.0.0.1. */
export const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const listener = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => listener.close(() => resolve(true)))
  })

/** Returns a free port on 127.0.0.1, and never the same one twice in this process. */
export const allocatePort = async (): Promise<number> => {
  for (;;) {
    // Below the ephemeral port range: an outgoing connection could otherwise occupy a server's port while the
    // server is stopped.
    const port = randomInt(20_000, 30_000)
    if (allocatedPorts.has(port)) continue
    allocatedPorts.add(port)
    if (await isPortFree(port)) return port
  }
}

/**
 * Sends a request to a port of 127.0.0.1. Returns the first chunk of the response, or undefined if there is
 * none within 2 s. Both are latin1.
 */
export const sendProbe = (port: number, request: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request, 'latin1'))
    const settle = (response?: string) => {
      socket.destroy()
      resolve(response)
    }
    socket.setTimeout(2000, () => settle())
    socket.once('data', (data) => settle(data.toString('latin1')))
    socket.once('error', () => settle())
    socket.once('close', () => settle())
  })
