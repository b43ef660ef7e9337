import { readFile } from 'node:fs/promises'
import { startMessaging } from '@confetti/messaging'
import {
  ConfigError,
  connectMongo,
  connectRedis,
  createHealth,
  createRateLimiter,
  createService,
  createTokenVerifier,
  pingMongo,
  runPeriodically,
  runService,
  systemClock as clock,
} from '@confetti/service-kit'
import { createApp } from './app.ts'
import { configSchema } from './config.ts'
import { makeIssueAccessToken } from './domain/access-tokens.ts'
import { makeGetUser } from './domain/get-user.ts'
import { makeListUsers } from './domain/list-users.ts'
import { makeLogin } from './domain/login.ts'
import { makeLogout } from './domain/logout.ts'
import { createPasswordHasher } from './domain/password-hasher.ts'
import { makeRefresh } from './domain/refresh.ts'
import { makeRegister } from './domain/register.ts'
import { createSignInThrottle } from './domain/sign-in-throttle.ts'
import { readSigningKeys } from './domain/signing-keys.ts'
import { makeStartSession } from './domain/start-session.ts'
import { makeSweepSessions } from './domain/sweep-sessions.ts'
import { createSessionModel } from './storage/session-model.ts'
import { createSessionStore } from './storage/session-store.ts'
import { createUserModel } from './storage/user-model.ts'
import { createUserStore } from './storage/user-store.ts'

const readKeyFile = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw new ConfigError('SIGNING_KEYS_FILE: the file cannot be read')
  })

await runService(configSchema, process.env, async (config) => {
  const keys = readSigningKeys(await readKeyFile(config.SIGNING_KEYS_FILE), config.SIGNING_KID)
  const { logger, metrics, lifecycle, listen } = await createService('auth', config)

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const userModel = createUserModel(connection)
  const sessionModel = createSessionModel(connection)
  await userModel.createIndexes()
  await sessionModel.createIndexes()

  const redis = connectRedis(config.REDIS_URL, { logger, metrics, lifecycle })
  const createAttemptLimiter = (name: string, points: number, seconds: number) =>
    createRateLimiter({ redis, name, points, seconds, message: 'Too many attempts. Please try again later.' })

  const relay = startMessaging({
    config,
    service: 'auth',
    model: userModel,
    metrics,
    logger,
    lifecycle,
  })
  const users = createUserStore({ model: userModel, wakeRelay: relay.wakeRelay })
  const sessions = createSessionStore({ model: sessionModel })
  const sweepSessions = makeSweepSessions({ sessions, clock, logger })
  lifecycle.onStop(
    'session sweep',
    runPeriodically(sweepSessions, {
      name: 'session sweep',
      intervalMs: config.SESSION_SWEEP_SECONDS * 1_000,
      logger,
    }),
  )

  const { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: audience } = config
  const issueAccessToken = makeIssueAccessToken({
    keys,
    issuer,
    audience,
    ttlSeconds: config.ACCESS_TOKEN_SECONDS,
  })
  const sessionTtlMs = config.REFRESH_TOKEN_SECONDS * 1_000
  const gracePeriodMs = config.REFRESH_GRACE_SECONDS * 1_000
  const startSession = makeStartSession({ sessions, issueAccessToken, sessionTtlMs, clock })
  const passwordHasher = await createPasswordHasher({
    concurrency: config.PASSWORD_HASH_CONCURRENCY,
    queueLimit: config.PASSWORD_HASH_QUEUE_LIMIT,
  })
  const signInWindowSeconds = config.SIGN_IN_WINDOW_SECONDS
  const throttle = createSignInThrottle({
    perAccountAndAddress: createAttemptLimiter(
      'sign-in',
      config.SIGN_IN_FAILURES_PER_ACCOUNT,
      signInWindowSeconds,
    ),
    perAddress: createAttemptLimiter('address', config.SIGN_IN_FAILURES_PER_ADDRESS, signInWindowSeconds),
  })
  const registrationLimiter = createAttemptLimiter(
    'register',
    config.REGISTRATIONS_PER_ADDRESS,
    config.REGISTRATION_WINDOW_SECONDS,
  )

  const health = createHealth({ mongo: pingMongo(connection) })
  const app = createApp({
    register: makeRegister({ users, passwordHasher, rateLimiter: registrationLimiter, startSession }),
    login: makeLogin({ users, passwordHasher, throttle, startSession }),
    refresh: makeRefresh({ sessions, users, issueAccessToken, sessionTtlMs, gracePeriodMs, clock, logger }),
    logout: makeLogout({ sessions }),
    listUsers: makeListUsers({ users }),
    getUser: makeGetUser({ users }),
    publishedKeys: keys.published,
    verifyToken: createTokenVerifier({
      findSigningKey: (kid) => Promise.resolve(keys.findPublicKey(kid)),
      issuer,
      audience,
    }),
    maxJsonBytes: config.MAX_JSON_BYTES,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    logger,
    metrics,
    health,
  })
  await listen(app, health)
})
