import { readFile } from 'node:fs/promises'
import { startMessaging } from '@confetti/messaging'
import {
  ConfigError,
  connectMongo,
  connectRedis,
  createHealth,
  createRateLimiter,
  createService,
  createTokenCheck,
  pingMongo,
  runService,
} from '@confetti/service-kit'
import { createApp } from './app.ts'
import { authConfig } from './config.ts'
import { createAccessTokens } from './domain/access-tokens.ts'
import { makeGetUser } from './domain/get-user.ts'
import { makeListUsers } from './domain/list-users.ts'
import { makeLogin } from './domain/login.ts'
import { makeLogout } from './domain/logout.ts'
import { createPasswords } from './domain/passwords.ts'
import { makeRefresh } from './domain/refresh.ts'
import { makeRegister } from './domain/register.ts'
import { createSignInThrottle } from './domain/sign-in-throttle.ts'
import { readSigningKeys } from './domain/signing-keys.ts'
import { makeStartSession } from './domain/start-session.ts'
import { startSessionSweep } from './domain/sweep-sessions.ts'
import { sessionModel } from './storage/session-model.ts'
import { createSessionStore } from './storage/session-store.ts'
import { userModel } from './storage/user-model.ts'
import { createUserStore } from './storage/user-store.ts'

const readKeyFile = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw new ConfigError('SIGNING_KEYS_FILE: the file cannot be read')
  })

await runService(authConfig, process.env, async (config) => {
  const keys = readSigningKeys(await readKeyFile(config.SIGNING_KEYS_FILE), config.SIGNING_KID)
  const { logger, metrics, lifecycle, listen } = await createService('auth', config)
  const clock = { now: () => new Date() }

  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const userDocuments = userModel(connection)
  const sessionDocuments = sessionModel(connection)
  await userDocuments.createIndexes()
  await sessionDocuments.createIndexes()

  const redis = connectRedis(config.REDIS_URL, logger)
  lifecycle.onClose('redis', () => {
    redis.disconnect()
    return Promise.resolve()
  })
  const attempts = (name: string, points: number, seconds: number) =>
    createRateLimiter({
      redis,
      name,
      points,
      seconds,
      message: 'Too many attempts. Please try again later.',
    })

  const relay = startMessaging({
    config,
    service: 'auth',
    model: userDocuments,
    metrics,
    logger,
    lifecycle,
  })

  const users = createUserStore({ users: userDocuments, nudge: relay.nudge })
  const sessions = createSessionStore(sessionDocuments)
  startSessionSweep({ sessions, everyMs: config.SESSION_SWEEP_SECONDS * 1_000, clock, logger })

  const { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: audience } = config
  const issueAccessToken = createAccessTokens({
    keys,
    issuer,
    audience,
    seconds: config.ACCESS_TOKEN_SECONDS,
  })
  const lifeMs = config.REFRESH_TOKEN_SECONDS * 1_000
  const graceMs = config.REFRESH_GRACE_SECONDS * 1_000
  const startSession = makeStartSession({ sessions, issueAccessToken, lifeMs, clock })
  const passwords = await createPasswords({
    atOnce: config.PASSWORD_HASHES_AT_ONCE,
    waiting: config.PASSWORD_HASHES_WAITING,
  })
  const throttle = createSignInThrottle({
    perAccount: attempts('sign-in', config.SIGN_IN_FAILURES_PER_ACCOUNT, config.SIGN_IN_WINDOW_SECONDS),
    perAddress: attempts('address', config.SIGN_IN_FAILURES_PER_ADDRESS, config.SIGN_IN_WINDOW_SECONDS),
  })
  const registrations = attempts(
    'register',
    config.REGISTRATIONS_PER_ADDRESS,
    config.REGISTRATION_WINDOW_SECONDS,
  )

  const health = createHealth({ mongo: pingMongo(connection) })
  const app = createApp({
    register: makeRegister({ users, passwords, registrations, startSession }),
    login: makeLogin({ users, passwords, throttle, startSession }),
    refresh: makeRefresh({ sessions, users, issueAccessToken, lifeMs, graceMs, clock, logger }),
    logout: makeLogout({ sessions }),
    listUsers: makeListUsers({ users }),
    getUser: makeGetUser({ users }),
    publishedKeys: keys.published,
    checkToken: createTokenCheck({ keyFor: (kid) => Promise.resolve(keys.publicKey(kid)), issuer, audience }),
    maxJsonBytes: config.MAX_JSON_BYTES,
    logger,
    metrics,
    health,
  })
  await listen(app, health)
})
