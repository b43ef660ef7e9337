import { readFile } from 'node:fs/promises'
import { defineConsumer, startMessaging } from '@confetti/messaging'
import {
  ConfigError,
  connectRedis,
  createErasedIds,
  createService,
  createServiceApp,
  createTokenVerifier,
  openDatabase,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createAccounts, createIsRevoked } from './accounts/accounts.ts'
import { createAudit } from './audit/audit.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { createAttemptLimits } from './limits.ts'
import { createAccountLinks } from './passwords/account-links.ts'
import { createPasswords } from './passwords/passwords.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { authContracts, authRoutes } from './routes.ts'
import { createKnownAddresses, createSignInThrottle } from './sessions/sign-in-throttle.ts'
import { createSessions } from './sessions/sessions.ts'
import { readSigningKeys } from './sessions/signing-keys.ts'
import { createAuditStore } from './storage/audit-store.ts'
import { createKnownAddressStore, createSessionStore } from './storage/session-store.ts'
import { createUserModel } from './storage/user-model.ts'
import { createUserStore } from './storage/user-store.ts'

const readKeyFile = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw new ConfigError('SIGNING_KEYS_FILE: the file cannot be read')
  })

/** Starts the service with its connections, and resolves when it listens. */
export const startAuth = async (config: Config, host: Host): Promise<RunningService> => {
  const keys = readSigningKeys(await readKeyFile(config.SIGNING_KEYS_FILE), config.SIGNING_KID)
  const service = await createService('auth', config, host)
  const { clock } = service

  const connection = await openDatabase(service)
  const userModel = createUserModel(connection)
  await userModel.createIndexes()
  const deps: Deps = {
    ...service,
    // The relay is created below, as its consumer needs the audit log.
    users: createUserStore(userModel, { wakeRelay: () => relay.wakeRelay(), clock }),
    sessionStore: await createSessionStore(connection),
    knownAddressStore: await createKnownAddressStore(connection),
    auditStore: await createAuditStore(connection),
    erasedIds: createErasedIds(connection, clock),
    keys,
    passwordHasher: await createPasswordHasher({
      concurrency: config.PASSWORD_HASH_CONCURRENCY,
      queueLimit: config.PASSWORD_HASH_QUEUE_LIMIT,
    }),
    links: createAccountLinks(config),
    limits: createAttemptLimits(config, connectRedis(config.REDIS_URL, service)),
  }
  const audit = createAudit(deps)
  const relay = startMessaging(service, {
    publishes: [
      'user.registered.v1',
      'user.changed.v1',
      'user.deleted.v1',
      'user.mail-requested.v1',
      'audit.recorded.v1',
    ],
    consumers: [defineConsumer('auth.audit-recorded', ({ data }) => audit.record(data))],
    model: userModel,
  })

  const knownAddresses = createKnownAddresses(deps)
  const throttle = createSignInThrottle(deps.limits, knownAddresses.isKnown)
  const sessions = createSessions(deps, { knownAddresses, throttle })
  const passwords = createPasswords(deps, { sessions, throttle })
  const accounts = createAccounts(deps)
  service.runEvery(config.SESSION_SWEEP_SECONDS * 1_000, 'session sweep', async () => {
    await sessions.sweep()
    await accounts.sweepErased()
    await audit.sweep()
  })

  const app = createServiceApp(service, {
    routes: authContracts,
    handlers: authRoutes(deps, { sessions, passwords, accounts, audit }),
    verifyToken: createTokenVerifier({
      findSigningKey: (kid) => Promise.resolve(keys.findPublicKey(kid)),
      isRevoked: createIsRevoked(deps.users),
      issuer: config.TOKEN_ISSUER,
      audience: config.TOKEN_AUDIENCE,
      clock,
    }),
    maxJsonBytes: config.MAX_JSON_BYTES,
  })
  return service.listen(app)
}
