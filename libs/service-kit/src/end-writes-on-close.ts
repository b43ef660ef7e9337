import type { EventEmitter } from 'node:events'
import type { Connection } from 'mongoose'
import type { Logger } from './logger.ts'

/** A connection of the driver, which its types do not export. */
interface DriverConnection extends EventEmitter {
  error: Error | null
  /** Resolves when the socket has taken all bytes. */
  writeCommand?: (...args: unknown[]) => Promise<void>
}

interface DriverClient {
  topology?: { s?: { servers?: Map<string, { monitor: { connection: DriverConnection | null } | null }> } }
}

const findPrototype = (connection: Connection): DriverConnection | undefined => {
  const { topology } = connection.getClient() as unknown as DriverClient
  for (const { monitor } of topology?.s?.servers?.values() ?? [])
    if (monitor?.connection) return Object.getPrototypeOf(monitor.connection) as DriverConnection
  return undefined
}

const fixed = new WeakSet<DriverConnection>()

/**
 * Works around a bug of the MongoDB driver, 7.9 included. A command that is written to a socket which has been destroyed
 * and has not emitted `close` yet, or which closes before it has taken all bytes, waits for `drain` forever: Node.js emits
 * neither that nor `error` then. This happens when a server ends and all its sockets close together. The operation never
 * ends; if it is that of the monitor, the service is without its database until it is restarted.
 *
 * Makes such a write fail with the error of the connection, for all connections of the driver.
 */
export const endWritesOnClose = (connection: Connection, logger: Logger): void => {
  const prototype = findPrototype(connection)
  if (!prototype?.writeCommand) {
    // A load balancer is not monitored; another version of the driver may have other names.
    logger.warn('database connections were not found: a write may wait forever after they have closed')
    return
  }
  if (fixed.has(prototype)) return
  fixed.add(prototype)
  const { writeCommand } = prototype
  prototype.writeCommand = async function (this: DriverConnection, ...args) {
    let onClose = (): void => undefined
    const closing = new Promise<never>((_, reject) => {
      onClose = () => reject(this.error ?? new Error('The connection was closed'))
      this.once('close', onClose)
    })
    try {
      await Promise.race([writeCommand.apply(this, args), closing])
    } finally {
      this.off('close', onClose)
    }
  }
}
