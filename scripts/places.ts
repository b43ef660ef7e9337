import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Backends } from '@confetti/backends'
import type { BackendAddresses } from '@confetti/launcher'

/** The top of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url))
/** Where `npm start` keeps its data, keys and addresses. */
export const dataDir = join(root, '.confetti')
export const signingKeysFile = join(dataDir, 'signing-keys.json')
/** Written while `npm start` runs. */
export const addressesFile = join(dataDir, 'addresses.json')
/** What `npm start` calls its databases, queues and containers. */
export const namespace = 'confetti'

export const ports = { shell: 3000, gateway: 3001, blob: 10_000 }
/** Where backends that were started or found here answer. */
export const addressesOf = ({ mongo, rabbitmq, redis, blob }: Backends): BackendAddresses => ({
  mongo: mongo.url,
  rabbitmq: rabbitmq.url,
  redis: redis.url,
  blob: blob.url,
})

/** Where `npm run dev` serves each frontend; their rspack.config.ts say the same. */
export const devPorts = { shell: 3100, public: 3102, organiser: 3103, admin: 3104 }

/** The backends of the system that `npm start` runs in this checkout. Throws if none does. */
export const runningBackends = async (): Promise<BackendAddresses> => {
  try {
    return JSON.parse(await readFile(addressesFile, 'utf8')) as BackendAddresses
  } catch {
    throw new Error('Nothing runs here. Start it by `npm start`, or set the addresses in the environment.')
  }
}
