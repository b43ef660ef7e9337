import { readFile } from 'node:fs/promises'
import {
  ConfigError,
  connectRedis,
  createService,
  createServiceApp,
  createTokenVerifier,
  openDatabase,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createIsRevoked } from './accounts/accounts.ts'
import { createCapabilities } from './capabilities.ts'
import type { Config } from './config.ts'
import { createAttemptLimits } from './limits.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { authContracts, authRoutes } from './routes.ts'
import { readSigningKeys } from './sessions/signing-keys.ts'

const readKeyFile = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw new ConfigError('SIGNING_KEYS_FILE: the file cannot be read')
  })

/** Starts the service with its connections, and resolves when it listens. */
export const startAuth = async (config: Config, host: Host): Promise<RunningService> => {
  const keys = readSigningKeys(await readKeyFile(config.SIGNING_KEYS_FILE), config.SIGNING_KID)
  const service = await createService('auth', config, host)
  const capabilities = await createCapabilities(service, {
    database: await openDatabase(service),
    keys,
    passwordHasher: await createPasswordHasher({
      concurrency: config.PASSWORD_HASH_CONCURRENCY,
      queueLimit: config.PASSWORD_HASH_QUEUE_LIMIT,
    }),
    limits: createAttemptLimits(config, connectRedis(config.REDIS_URL, service)),
  })
  const app = createServiceApp(service, {
    routes: authContracts,
    handlers: authRoutes(capabilities),
    verifyToken: createTokenVerifier({
      findSigningKey: (kid) => Promise.resolve(keys.findPublicKey(kid)),
      isRevoked: createIsRevoked(capabilities.deps.users),
      issuer: config.TOKEN_ISSUER,
      audience: config.TOKEN_AUDIENCE,
      clock: service.clock,
    }),
    maxJsonBytes: config.MAX_JSON_BYTES,
  })
  return service.listen(app)
}
