import { readFile } from 'node:fs/promises'

// One table for each version of IP. Other systems than Linux have neither.
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const LISTENING = '0A'

/**
 * The bytes that wait in the kernel for the clients of a local port. On one machine it sends them also after the process
 * has ended; from a container they are lost then, and the client waits for ever.
 */
export const countUntakenBytes = async (port: number): Promise<number> => {
  const tables = await Promise.all(TABLES.map((file) => readFile(file, 'utf8').catch(() => '')))
  const localPort = port.toString(16).toUpperCase().padStart(4, '0')
  return tables
    .flatMap((table) => table.split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${localPort}`) && state !== LISTENING)
    .reduce((sum, [, , , , queues = '']) => sum + Number.parseInt(queues, 16), 0)
}
