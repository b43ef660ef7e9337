import { once } from 'node:events'
import { createServer } from 'node:net'

/** The fixed ports of `npm start`. */
export const ports = { shell: 3000, gateway: 3001, blob: 10_000, mail: 8025 }

/** The ports of the development servers. Must match each frontend's rspack.config.ts. */
export const devPorts = { shell: 3100, public: 3102, organiser: 3103, admin: 3104 }

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

/** Throws an error with the port and its purpose if one of `portsByPurpose` is in use. */
export const requireFreePorts = async (portsByPurpose: Readonly<Record<string, number>>): Promise<void> => {
  for (const [purpose, port] of Object.entries(portsByPurpose))
    if (!(await isFree(port)))
      throw new Error(
        `Port ${port} (${purpose}) is in use. If Confetti is running in another checkout, stop it first.`,
      )
}
