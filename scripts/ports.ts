import { once } from 'node:events'
import { createServer } from 'node:net'

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return true
  } catch {
    return false
  }
}

/** Throws, naming the port and what it is for, if somebody else has one of these. */
export const requireFreePorts = async (ports: Readonly<Record<string, number>>): Promise<void> => {
  for (const [purpose, port] of Object.entries(ports))
    if (!(await isFree(port)))
      throw new Error(
        `Port ${port} (${purpose}) is in use. Is Confetti running already, perhaps in another clone? Stop that first.`,
      )
}
