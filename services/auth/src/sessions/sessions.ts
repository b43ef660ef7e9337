import { newAccount, type ErrorCode, type Locale } from '@confetti/contracts'
import { addressKey, forbidden, unauthenticated } from '@confetti/service-kit'
import jwt from 'jsonwebtoken'
import { changeAccount, emailTaken } from '../accounts/accounts.ts'
import type { Account } from '../accounts/user.ts'
import type { Deps } from '../deps.ts'
import type { KnownAddresses, SignInThrottle } from './sign-in-throttle.ts'
import {
  deriveNextToken,
  hashRefreshToken,
  newRefreshToken,
  newSalt,
  parseSessionId,
  reissueNextToken,
  type Session,
} from './session.ts'

/** Of an account: correct sign-ins are not limited, and each leaves a session for 30 days. */
const MAX_SESSIONS = 100

/** What somebody sends to sign in or to register. */
interface Credentials {
  email: string
  password: string
  /** The IP address of the client. */
  address: string
  /** The language that its browser prefers. */
  language: Locale | undefined
}

const sessionExpired = (code: ErrorCode) => unauthenticated('Your session has expired.', { code })

/** How people register, sign in, stay signed in, and sign out. */
export const createSessions = (
  { config, users, sessionStore, knownAddressStore, passwordHasher, keys, limits, clock, logger }: Deps,
  { knownAddresses, throttle }: { knownAddresses: KnownAddresses; throttle: SignInThrottle },
) => {
  const sessionTtlMs = config.REFRESH_TOKEN_SECONDS * 1_000
  const gracePeriodMs = config.REFRESH_GRACE_SECONDS * 1_000

  /**
   * Issues access tokens: JWTs, signed with ES256, that carry a user's id, email address and role, and the revision of the
   * account, by which they can be revoked.
   */
  const issueAccessToken = ({
    user: { _id, email, role },
    revision,
  }: Pick<Account, 'user' | 'revision'>): string =>
    jwt.sign({ email, role, revision, iat: Math.floor(clock().getTime() / 1_000) }, keys.current.privateKey, {
      algorithm: 'ES256',
      keyid: keys.current.kid,
      subject: _id,
      issuer: config.TOKEN_ISSUER,
      audience: config.TOKEN_AUDIENCE,
      expiresIn: config.ACCESS_TOKEN_SECONDS,
    })

  /**
   * Starts a session for an account whose credentials have been verified. Returns its first tokens. If all sessions of
   * the account have been ended since `account` was read, then this one has ended as well.
   */
  const start = async (account: Account) => {
    const { sessionId, token } = newRefreshToken()
    const session = {
      _id: sessionId,
      userId: account.user._id,
      accountRevision: account.revision,
      currentHash: hashRefreshToken(token),
      salt: newSalt(),
      expiresAt: new Date(clock().getTime() + sessionTtlMs),
    }
    await sessionStore.add(session, MAX_SESSIONS)
    return { accessToken: issueAccessToken(account), refreshToken: token, user: account.user }
  }

  /** Stores the language that the owner of an account reads, in which mails are written. A failure is only logged. */
  const recordLanguage = async (account: Account, language: Locale | undefined): Promise<void> => {
    if (language === undefined || language === account.language) return
    try {
      await changeAccount(users, account.user._id, () => ({ language }))
    } catch (error) {
      logger.warn({ err: error, userId: account.user._id }, 'failed to store the language of an account')
    }
  }

  const rotate = async (session: Session, token: string): Promise<string | undefined> => {
    const now = clock()
    const nextToken = deriveNextToken(token, session.salt)
    const rotated = await sessionStore.rotate(session, {
      currentHash: hashRefreshToken(nextToken),
      salt: newSalt(),
      rotatedAt: now,
      expiresAt: new Date(now.getTime() + sessionTtlMs),
    })
    if (rotated) return nextToken
    // A concurrent request, perhaps from another tab, has rotated the token: both get the same next token.
    const latest = await sessionStore.find(session._id)
    return latest && reissueNextToken(token, latest, { now: clock(), gracePeriodMs })
  }

  return {
    start,
    recordLanguage,

    /**
     * Creates an account with role user and starts a session. Throws `forbidden` where accounts are by invitation only,
     * and `conflict` if the email address is taken.
     */
    register: async ({ email, password, address, language }: Credentials) => {
      if (config.REGISTRATION !== 'open')
        throw forbidden('Accounts are by invitation only. Please ask an admin to invite you.', {
          code: 'registration_closed',
        })
      // Failed attempts count as well: they reveal which email addresses have accounts.
      await limits.registrationsPerAddress.consume(addressKey(address))
      const passwordHash = await passwordHasher.hash(password)
      const account = await users.add({
        email,
        role: 'user',
        passwordHash,
        lastSignInAt: clock(),
        ...(language && { language }),
      })
      if (!account) throw emailTaken()
      return start(account)
    },

    /**
     * Starts a session for an account. Throws `unauthenticated`, after the same time whether the account exists or not,
     * and `forbidden` for the correct password of a deactivated account.
     */
    login: async ({ email, password, address, language }: Credentials) => {
      const account = await throttle({ email, address }, async () => {
        // An address that cannot be registered is not looked up: databases do not accept every string (NUL).
        const canExist = newAccount.shape.email.safeParse(email).success
        const found = canExist ? await users.findByEmail(email) : undefined
        const isCorrect = await passwordHasher.verify(password, found?.passwordHash)
        return isCorrect ? found : undefined
      })
      if (!account) throw unauthenticated('Invalid email or password', { code: 'wrong_credentials' })
      if (!account.isActive)
        throw forbidden('This account has been deactivated. Please ask an admin.', {
          code: 'account_deactivated',
        })
      await users.recordSignIn(account.user._id, clock())
      await knownAddresses.remember(account.user._id, { email, address })
      await recordLanguage(account, language)
      return start(account)
    },

    /**
     * Exchanges a refresh token for the next one (refresh token rotation) and an access token with the account's current
     * role and address. The previous token gets the same next token again during the grace period. The reuse of any
     * other old token means that it has leaked, and revokes the session. Throws `unauthenticated`.
     */
    refresh: async (token: string) => {
      const sessionId = parseSessionId(token)
      if (!sessionId) throw sessionExpired('refresh_token_malformed')
      const session = await sessionStore.find(sessionId)
      if (!session) throw sessionExpired('session_unknown')
      if (session.expiresAt <= clock()) throw sessionExpired('session_expired')
      const account = await users.find(session.userId)
      if (!account?.isActive || !(session.accountRevision >= account.sessionsRevision))
        throw sessionExpired('session_unknown')

      const isCurrent = session.currentHash === hashRefreshToken(token)
      const nextToken = isCurrent
        ? await rotate(session, token)
        : reissueNextToken(token, session, { now: clock(), gracePeriodMs })
      if (!nextToken) {
        await sessionStore.revoke(sessionId)
        logger.warn({ userId: account.user._id }, 'refresh token reuse detected, session revoked')
        throw sessionExpired('refresh_token_reused')
      }
      return { accessToken: issueAccessToken(account), refreshToken: nextToken }
    },

    /** Revokes the session of a refresh token. Does nothing if the token is malformed or its session unknown. */
    logout: async (token: string): Promise<void> => {
      const sessionId = parseSessionId(token)
      if (sessionId) await sessionStore.revoke(sessionId)
    },

    /** Ends all sessions of an account and revokes its access tokens. */
    logoutAll: async (userId: string): Promise<void> => {
      await changeAccount(users, userId, () => ({ action: 'user.signed-out-everywhere', endsSessions: true }))
      await sessionStore.revokeAll(userId)
    },

    /** Removes expired sessions, and addresses that are no longer known. */
    sweep: async (): Promise<void> => {
      await knownAddressStore.removeExpired(clock())
      const removed = await sessionStore.removeExpired(clock())
      if (removed > 0) logger.info({ removed }, 'expired sessions removed')
    },
  }
}
export type Sessions = ReturnType<typeof createSessions>
