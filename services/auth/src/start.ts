import { readFile } from 'node:fs/promises'
import { defineConsumer, startMessaging } from '@confetti/messaging'
import {
  ConfigError,
  connectMongo,
  connectRedis,
  createErasedIds,
  createHealth,
  createRateLimiter,
  createService,
  createServiceApp,
  createTokenVerifier,
  pingMongo,
  runPeriodically,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createAccounts, createIsRevoked } from './accounts/accounts.ts'
import { createAudit } from './audit/audit.ts'
import type { Config } from './config.ts'
import { createAccountLinks } from './passwords/account-links.ts'
import { createBackgroundQueue, createPasswords } from './passwords/passwords.ts'
import { createPasswordHasher } from './passwords/password-hasher.ts'
import { authContracts, authRoutes } from './routes.ts'
import { createKnownAddresses, createSignInThrottle } from './sessions/sign-in-throttle.ts'
import { createSessions } from './sessions/sessions.ts'
import { readSigningKeys } from './sessions/signing-keys.ts'
import { createAuditModel, createAuditStore } from './storage/audit-store.ts'
import {
  createKnownAddressModel,
  createKnownAddressStore,
  createSessionModel,
  createSessionStore,
} from './storage/session-store.ts'
import { createUserModel } from './storage/user-model.ts'
import { createUserStore } from './storage/user-store.ts'

const DAY_MS = 24 * 3_600_000
const PUBLISHED_AGAIN = 100

const readKeyFile = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw new ConfigError('SIGNING_KEYS_FILE: the file cannot be read')
  })

/** Starts the service with its connections, and resolves when it listens. */
export const startAuth = async (config: Config, host: Host): Promise<RunningService> => {
  const keys = readSigningKeys(await readKeyFile(config.SIGNING_KEYS_FILE), config.SIGNING_KID)
  const { logger, metrics, lifecycle, listen } = await createService('auth', config, host)
  const { clock } = host

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const userModel = createUserModel(connection)
  const sessionModel = createSessionModel(connection)
  const knownAddressModel = createKnownAddressModel(connection)
  const auditModel = createAuditModel(connection)
  for (const model of [userModel, sessionModel, knownAddressModel, auditModel]) await model.createIndexes()
  const audit = createAudit({
    audit: createAuditStore({ model: auditModel }),
    erasedIds: createErasedIds(connection, clock),
    keepMs: config.AUDIT_KEEP_DAYS * DAY_MS,
    clock,
    logger,
  })

  const relay = startMessaging({
    config,
    service: 'auth',
    publishes: [
      'user.registered.v1',
      'user.changed.v1',
      'user.deleted.v1',
      'user.mail-requested.v1',
      'audit.recorded.v1',
    ],
    consumers: [defineConsumer('auth.audit-recorded', ({ data }) => audit.record(data))],
    model: userModel,
    metrics,
    logger,
    lifecycle,
  })
  const users = createUserStore({ model: userModel, wakeRelay: relay.wakeRelay, clock })
  const sessionStore = createSessionStore({ model: sessionModel })
  const knownAddressStore = createKnownAddressStore({ model: knownAddressModel })

  const redis = connectRedis(config.REDIS_URL, { logger, metrics, lifecycle })
  const limitAttempts = (name: string, points: number, seconds: number) =>
    createRateLimiter({ redis, name, points, seconds, message: 'Too many attempts. Please try again later.' })
  const passwordHasher = await createPasswordHasher({
    concurrency: config.PASSWORD_HASH_CONCURRENCY,
    queueLimit: config.PASSWORD_HASH_QUEUE_LIMIT,
  })
  const knownAddresses = createKnownAddresses({
    store: knownAddressStore,
    signingKeys: keys.privateKeys,
    clock,
  })
  const signInSeconds = config.SIGN_IN_WINDOW_SECONDS
  const throttle = createSignInThrottle({
    isKnownAddress: knownAddresses.isKnown,
    perAccountAndAddress: limitAttempts('sign-in', config.SIGN_IN_FAILURES_PER_ACCOUNT, signInSeconds),
    perAddress: limitAttempts('address', config.SIGN_IN_FAILURES_PER_ADDRESS, signInSeconds),
  })
  const { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: audience, ACCESS_TOKEN_SECONDS: ttlSeconds } = config
  const sessions = createSessions({
    users,
    sessions: sessionStore,
    passwordHasher,
    throttle,
    knownAddresses,
    knownAddressStore,
    registrationLimiter: limitAttempts(
      'register',
      config.REGISTRATIONS_PER_ADDRESS,
      config.REGISTRATION_WINDOW_SECONDS,
    ),
    isRegistrationOpen: config.REGISTRATION === 'open',
    keys,
    tokens: { issuer, audience, ttlSeconds },
    sessionTtlMs: config.REFRESH_TOKEN_SECONDS * 1_000,
    gracePeriodMs: config.REFRESH_GRACE_SECONDS * 1_000,
    clock,
    logger,
  })
  const links = createAccountLinks({ sendsMail: config.MAIL === 'on', shellUrl: config.SHELL_URL })
  const accounts = createAccounts({
    users,
    sessions: sessionStore,
    knownAddresses: knownAddressStore,
    links,
    invitationTtlMs: config.INVITATION_SECONDS * 1_000,
    accessTokenTtlMs: ttlSeconds * 1_000,
    revokedLimit: config.REVOKED_ACCOUNTS_LIMIT,
    clock,
    logger,
  })
  const passwordResets = createBackgroundQueue({ name: 'password reset', logger })
  lifecycle.onClose('password resets', passwordResets.settle)
  const limitResets = (name: string, points: number) =>
    limitAttempts(name, points, config.PASSWORD_RESET_WINDOW_SECONDS)
  const passwords = createPasswords({
    users,
    sessionStore,
    sessions,
    passwordHasher,
    throttle,
    links,
    resetLimits: {
      perAddress: limitResets('reset-address', config.PASSWORD_RESETS_PER_ADDRESS),
      perAccount: limitResets('reset-account', config.PASSWORD_RESETS_PER_ACCOUNT),
    },
    queue: passwordResets,
    resetTtlMs: config.PASSWORD_RESET_SECONDS * 1_000,
    clock,
    logger,
  })

  const sweep = async (): Promise<void> => {
    // Services that did not exist when version 0.1 registered an account learn of it.
    const published = await users.publishAgain(PUBLISHED_AGAIN)
    if (published > 0) logger.info({ published }, 'accounts of an earlier version published again')
    await sessions.sweep()
    await accounts.sweepErased()
    await audit.sweep()
  }
  lifecycle.onStop(
    'session sweep',
    runPeriodically(sweep, {
      name: 'session sweep',
      intervalMs: config.SESSION_SWEEP_SECONDS * 1_000,
      logger,
    }),
  )

  const health = createHealth({ mongo: pingMongo(connection) })
  const app = createServiceApp({
    routes: authContracts,
    handlers: authRoutes({ sessions, passwords, accounts, audit, publishedKeys: keys.published, config }),
    verifyToken: createTokenVerifier({
      findSigningKey: (kid) => Promise.resolve(keys.findPublicKey(kid)),
      isRevoked: createIsRevoked(users),
      issuer,
      audience,
      clock,
    }),
    maxJsonBytes: config.MAX_JSON_BYTES,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    logger,
    metrics,
    health,
  })
  return listen(app, health)
}
