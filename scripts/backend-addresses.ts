import { readFile } from 'node:fs/promises'
import type { Backends } from '@confetti/backends'
import type { BackendAddresses } from '@confetti/launcher'
import { addressesFile } from './paths.ts'

/** The namespace of the databases, queues and containers of `npm start`. */
export const namespace = 'confetti'

export const getBackendAddresses = ({ mongo, rabbitmq, redis, blob }: Backends): BackendAddresses => ({
  mongo: mongo.url,
  rabbitmq: rabbitmq.url,
  redis: redis.url,
  blob: blob.url,
})

/**
 * Reads the backend addresses of the system that `npm start` runs in this checkout. Throws if none is
 * running.
 */
export const readBackendAddresses = async (): Promise<BackendAddresses> => {
  try {
    return JSON.parse(await readFile(addressesFile, 'utf8')) as BackendAddresses
  } catch {
    throw new Error(
      'No system is running in this checkout. Start it with `npm start`, or set the addresses in the environment.',
    )
  }
}
