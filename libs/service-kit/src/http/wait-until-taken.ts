import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 100
const LISTENING = '0A'
// One table for each version of IP. Other systems than Linux have neither.
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']

/** The bytes that wait in one line of a table of the kernel's TCP connections, if it is one of a server's port. */
const readUntakenBytes = (line: string, port: number): number => {
  const [, local = '', , state, queues = ''] = line.trim().split(/\s+/)
  const isOfServer = Number.parseInt(local.split(':')[1] ?? '', 16) === port && state !== LISTENING
  return isOfServer ? Number.parseInt(queues.split(':')[0] ?? '', 16) : 0
}

/** The bytes that clients of a local port have not acknowledged, also on connections that have been closed here. */
const countUntakenBytes = async (port: number): Promise<number> => {
  const tables = await Promise.all(TABLES.map((file) => readFile(file, 'utf8').catch(() => '')))
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .reduce((sum, line) => sum + readUntakenBytes(line, port), 0)
}

/**
 * Waits until the clients of a local port have taken what was sent to them, or have taken nothing for `idleTimeoutMs`. A
 * response counts as sent when the kernel has it: megabytes of a slow download may still wait there, and the network of
 * a container ends with its process, without telling the client.
 */
export const waitUntilTaken = async (port: number, idleTimeoutMs: number): Promise<void> => {
  let previous = Number.POSITIVE_INFINITY
  let idleMs = 0
  for (;;) {
    const bytes = await countUntakenBytes(port)
    if (bytes === 0) return
    idleMs = bytes < previous ? 0 : idleMs + POLL_MS
    if (idleMs >= idleTimeoutMs) return
    previous = bytes
    await sleep(POLL_MS)
  }
}
