import { readFile } from 'node:fs/promises'
import { startMessaging } from '@confetti/messaging'
import {
  ConfigError,
  connectMongo,
  connectRedis,
  createErasedIds,
  createHealth,
  createRateLimiter,
  createService,
  createTokenVerifier,
  pingMongo,
  runPeriodically,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { auditRecordedConsumer } from './consumers/audit-recorded.ts'
import { makeAcceptInvitation } from './domain/accept-invitation.ts'
import { makeIssueAccessToken } from './domain/access-tokens.ts'
import { createAccountMail } from './domain/account-mail.ts'
import { createBackgroundQueue } from './domain/background-queue.ts'
import { makeChangePassword } from './domain/change-password.ts'
import { makeEraseUser } from './domain/erase-user.ts'
import { makeForgotPassword } from './domain/forgot-password.ts'
import { makeGetUser } from './domain/get-user.ts'
import { makeInviteUser } from './domain/invite-user.ts'
import { makeLeaveAdmins } from './domain/last-admin.ts'
import { makeListAudit } from './domain/list-audit.ts'
import { makeListAccounts } from './domain/list-accounts.ts'
import { makeListUsers } from './domain/list-users.ts'
import { createKnownAddresses } from './domain/known-addresses.ts'
import { makeLogin } from './domain/login.ts'
import { makeLogoutAll } from './domain/logout-all.ts'
import { makeLogout } from './domain/logout.ts'
import { createPasswordHasher } from './domain/password-hasher.ts'
import { makePublishOldAccounts } from './domain/publish-old-accounts.ts'
import { makeRecordAudit } from './domain/record-audit.ts'
import { makeRecordLanguage } from './domain/record-language.ts'
import { makeRefresh } from './domain/refresh.ts'
import { makeRegister } from './domain/register.ts'
import { makeResetPassword } from './domain/reset-password.ts'
import { makeIsRevoked, makeListRevokedTokens } from './domain/revoked-tokens.ts'
import { makeSendPasswordReset } from './domain/send-password-reset.ts'
import { createSignInThrottle } from './domain/sign-in-throttle.ts'
import { readSigningKeys } from './domain/signing-keys.ts'
import { makeStartSession } from './domain/start-session.ts'
import { makeSweepAudit } from './domain/sweep-audit.ts'
import { makeSweepErasedUsers } from './domain/sweep-erased-users.ts'
import { makeSweepSessions } from './domain/sweep-sessions.ts'
import { makeUpdateUser } from './domain/update-user.ts'
import { createAuditModel } from './storage/audit-model.ts'
import { createAuditStore } from './storage/audit-store.ts'
import { createKnownAddressModel } from './storage/known-address-model.ts'
import { createKnownAddressStore } from './storage/known-address-store.ts'
import { createSessionModel } from './storage/session-model.ts'
import { createSessionStore } from './storage/session-store.ts'
import { createUserModel } from './storage/user-model.ts'
import { createUserStore } from './storage/user-store.ts'

// The list of revoked tokens looks further back than access tokens live, by a minute.
const ERASED_RECORD_MARGIN_MS = 120_000
const DAY_MS = 24 * 3_600_000

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
  await userModel.createIndexes()
  await sessionModel.createIndexes()
  const knownAddressModel = createKnownAddressModel(connection)
  await knownAddressModel.createIndexes()
  const auditModel = createAuditModel(connection)
  await auditModel.createIndexes()
  const audit = createAuditStore({ model: auditModel })
  const erasedIds = createErasedIds(connection, clock)

  const redis = connectRedis(config.REDIS_URL, { logger, metrics, lifecycle })
  const createAttemptLimiter = (name: string, points: number, seconds: number) =>
    createRateLimiter({ redis, name, points, seconds, message: 'Too many attempts. Please try again later.' })

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
    consumers: [auditRecordedConsumer({ recordAudit: makeRecordAudit({ audit, erasedIds }) })],
    model: userModel,
    metrics,
    logger,
    lifecycle,
  })
  const users = createUserStore({ model: userModel, wakeRelay: relay.wakeRelay, clock })
  const sessions = createSessionStore({ model: sessionModel })
  const knownAddressStore = createKnownAddressStore({ model: knownAddressModel })
  const accessTokenTtlMs = config.ACCESS_TOKEN_SECONDS * 1_000
  const sweepSessions = makeSweepSessions({ sessions, knownAddresses: knownAddressStore, clock, logger })
  const sweepErasedUsers = makeSweepErasedUsers({
    users,
    sessions,
    knownAddresses: knownAddressStore,
    keepMs: accessTokenTtlMs + ERASED_RECORD_MARGIN_MS,
    clock,
    logger,
  })
  const sweepAudit = makeSweepAudit({
    audit,
    erasedIds,
    keepMs: config.AUDIT_KEEP_DAYS * DAY_MS,
    clock,
    logger,
  })
  const publishOldAccounts = makePublishOldAccounts({ users, logger })
  lifecycle.onStop(
    'session sweep',
    runPeriodically(() => publishOldAccounts().then(sweepSessions).then(sweepErasedUsers).then(sweepAudit), {
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
    clock,
  })
  const sessionTtlMs = config.REFRESH_TOKEN_SECONDS * 1_000
  const gracePeriodMs = config.REFRESH_GRACE_SECONDS * 1_000
  const startSession = makeStartSession({ sessions, issueAccessToken, sessionTtlMs, clock })
  const passwordHasher = await createPasswordHasher({
    concurrency: config.PASSWORD_HASH_CONCURRENCY,
    queueLimit: config.PASSWORD_HASH_QUEUE_LIMIT,
  })
  const signInWindowSeconds = config.SIGN_IN_WINDOW_SECONDS
  const knownAddresses = createKnownAddresses({
    store: knownAddressStore,
    signingKeys: keys.privateKeys,
    clock,
  })
  const throttle = createSignInThrottle({
    isKnownAddress: knownAddresses.isKnown,
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

  const mail = createAccountMail({ sendsMail: config.MAIL === 'on', shellUrl: config.SHELL_URL })
  const passwordResets = createBackgroundQueue({ name: 'password reset', logger })
  lifecycle.onClose('password resets', passwordResets.settle)
  const createResetLimiter = (name: string, points: number) =>
    createAttemptLimiter(name, points, config.PASSWORD_RESET_WINDOW_SECONDS)
  const resetTtlMs = config.PASSWORD_RESET_SECONDS * 1_000
  const leaveAdmins = makeLeaveAdmins({ users, clock })
  const updateUser = makeUpdateUser({ users, sessions, leaveAdmins })
  const recordLanguage = makeRecordLanguage({ users, logger })
  const byLink = { users, sessions, passwordHasher, clock }

  const health = createHealth({ mongo: pingMongo(connection) })
  const app = createApp({
    register: makeRegister({
      users,
      passwordHasher,
      rateLimiter: registrationLimiter,
      startSession,
      isOpen: config.REGISTRATION === 'open',
      clock,
    }),
    login: makeLogin({
      users,
      passwordHasher,
      throttle,
      recordLanguage,
      startSession,
      knownAddresses,
      clock,
    }),
    refresh: makeRefresh({ sessions, users, issueAccessToken, sessionTtlMs, gracePeriodMs, clock, logger }),
    logout: makeLogout({ sessions }),
    listUsers: makeListUsers({ users }),
    getUser: makeGetUser({ users }),
    authSettings: { registration: config.REGISTRATION, mail: config.MAIL },
    changePassword: makeChangePassword({ users, sessions, passwordHasher, throttle, startSession, mail }),
    logoutAll: makeLogoutAll({ users, sessions }),
    forgotPassword: makeForgotPassword({
      users,
      mail,
      perAddress: createResetLimiter('reset-address', config.PASSWORD_RESETS_PER_ADDRESS),
      perAccount: createResetLimiter('reset-account', config.PASSWORD_RESETS_PER_ACCOUNT),
      queue: passwordResets,
      linkTtlMs: resetTtlMs,
      clock,
      logger,
    }),
    resetPassword: makeResetPassword({ ...byLink, mail }),
    acceptInvitation: makeAcceptInvitation({ ...byLink, recordLanguage }),
    listAccounts: makeListAccounts({ users }),
    inviteUser: makeInviteUser({
      users,
      updateUser,
      mail,
      linkTtlMs: config.INVITATION_SECONDS * 1_000,
      clock,
    }),
    updateUser,
    sendPasswordReset: makeSendPasswordReset({ users, mail, linkTtlMs: resetTtlMs, clock }),
    eraseUser: makeEraseUser({ users, sessions, knownAddresses: knownAddressStore, leaveAdmins }),
    listAudit: makeListAudit({ audit }),
    listRevokedTokens: makeListRevokedTokens({
      users,
      accessTokenTtlMs,
      limit: config.REVOKED_ACCOUNTS_LIMIT,
      clock,
    }),
    publishedKeys: keys.published,
    verifyToken: createTokenVerifier({
      findSigningKey: (kid) => Promise.resolve(keys.findPublicKey(kid)),
      isRevoked: makeIsRevoked({ users }),
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
