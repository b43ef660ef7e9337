import { newAccount, type Locale, type User } from '@confetti/contracts'
import {
  addressKey,
  AppError,
  conflict,
  invalid,
  unauthenticated,
  unavailable,
  type Logger,
} from '@confetti/service-kit'
import pLimit from 'p-limit'
import { changeAccount } from '../accounts/accounts.ts'
import type { Account, RequestedMail } from '../accounts/user.ts'
import type { Deps } from '../deps.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SignInThrottle } from '../sessions/sign-in-throttle.ts'
import { opensLink, parseUserId } from './account-links.ts'

const CONCURRENCY = 2
const QUEUE_LIMIT = 200

/**
 * Runs work after the response of a request. Its failures are logged. `run` throws `unavailable` if too much work is
 * already waiting.
 */
const createBackgroundQueue = ({ name, logger }: { name: string; logger: Logger }) => {
  const limit = pLimit(CONCURRENCY)
  const inFlight = new Set<Promise<void>>()
  return {
    run: (work: () => Promise<void>): void => {
      if (inFlight.size >= CONCURRENCY + QUEUE_LIMIT)
        throw unavailable('The service is busy. Please try again in a moment.')
      const running = limit(work)
        .catch((error: unknown) => logger.warn({ err: error, task: name }, 'background task failed'))
        .finally(() => inFlight.delete(running))
      inFlight.add(running)
    },
    /** Resolves when the work that has been started is over. */
    settle: async (): Promise<void> => {
      await Promise.all(inFlight)
    },
  }
}
interface PasswordByLink {
  token: string
  password: string
}

// Not 401, which clients understand as the end of the session.
const wrongPassword = () => {
  const message = 'The current password is wrong.'
  return invalid(message, {
    code: 'wrong_password',
    details: [{ field: 'currentPassword', message, code: 'wrong_password' }],
  })
}

const actions = { invitation: 'user.invitation-accepted', passwordReset: 'user.password-reset' } as const

/** How people set, change and reset their passwords. */
export const createPasswords = (
  { config, users, sessionStore, passwordHasher, links, limits, lifecycle, clock, logger }: Deps,
  { sessions, throttle }: { sessions: Sessions; throttle: SignInThrottle },
) => {
  const queue = createBackgroundQueue({ name: 'password reset', logger })
  lifecycle.onClose('password resets', queue.settle)

  const newResetLink = (userId: string) =>
    links.newLink(
      'password-reset',
      userId,
      new Date(clock().getTime() + config.PASSWORD_RESET_SECONDS * 1_000),
    )

  const hasRequestsLeft = async (email: string): Promise<boolean> => {
    try {
      await limits.resetsPerAccount.consume(email)
      return true
    } catch (error) {
      if (error instanceof AppError && error.kind === 'too_many_requests') return false
      throw error
    }
  }

  const requestMail = async (email: string): Promise<void> => {
    // An address that cannot be registered is not looked up: databases do not accept every string (NUL).
    if (!newAccount.shape.email.safeParse(email).success) return
    if (!(await hasRequestsLeft(email))) {
      logger.info('too many password resets of one account, no mail is sent')
      return
    }
    const account = await users.findByEmail(email)
    if (!account?.isActive) return
    const { _id: userId } = account.user
    const newLink = newResetLink(userId)
    await changeAccount(users, userId, (latest) => ({
      passwordReset: newLink.link,
      mail: links.linkMail('password-reset', latest, newLink),
    }))
  }

  /** Returns the account that a link opens. Throws `invalid`. */
  const requireOpen = (
    account: Account | undefined,
    kind: 'invitation' | 'passwordReset',
    token: string,
  ): Account => {
    if (account?.isActive && opensLink(account[kind], token, clock())) return account
    throw invalid('This link is no longer valid. Please ask for a new one.', { code: 'link_invalid' })
  }

  const findByLink = async (kind: 'invitation' | 'passwordReset', token: string): Promise<Account> => {
    const userId = parseUserId(token)
    return requireOpen(userId ? await users.find(userId) : undefined, kind, token)
  }

  /**
   * Sets the password of the account that the token of a link belongs to. This and all other links of the account stop
   * working, and all of its sessions end. `mailAbout` returns a mail to its owner. Throws `invalid` if the link has been
   * used, has expired or has been replaced, or the account may not sign in.
   */
  const setByLink = async (
    { token, password }: PasswordByLink,
    kind: 'invitation' | 'passwordReset',
    mailAbout: (account: Account) => RequestedMail | undefined = () => undefined,
  ): Promise<Account> => {
    // A hash is costly, so it is not computed for a false link.
    const { user } = await findByLink(kind, token)
    const passwordHash = await passwordHasher.hash(password)
    const changed = await changeAccount(users, user._id, (latest) => ({
      passwordHash,
      invitation: null,
      passwordReset: null,
      invitedAt: null,
      action: actions[kind],
      endsSessions: true,
      mail: mailAbout(requireOpen(latest, kind, token)),
    }))
    await sessionStore.revokeAll(user._id)
    return changed
  }

  return {
    /**
     * Changes the password of an account, ends all of its sessions and starts a new one. Wrong current passwords count as
     * failed sign-ins. Throws `invalid` if the current password is wrong, and `tooManyRequests` for too many attempts.
     */
    change: async ({
      userId,
      currentPassword,
      newPassword,
      address,
    }: {
      userId: string
      currentPassword: string
      newPassword: string
      address: string
    }) => {
      await limits.passwordChangesPerAccount.consume(userId)
      const account = await users.find(userId)
      if (!account) throw unauthenticated('Please sign in.')
      const { passwordHash: currentHash } = account
      const isCorrect = await throttle({ email: account.user.email, address }, async () =>
        (await passwordHasher.verify(currentPassword, currentHash)) ? true : undefined,
      )
      if (!isCorrect) throw wrongPassword()
      const passwordHash = await passwordHasher.hash(newPassword)
      const changed = await changeAccount(users, userId, (latest) => {
        if (!latest.isActive) throw unauthenticated('Please sign in.')
        if (latest.passwordHash !== currentHash) throw wrongPassword()
        return {
          passwordHash,
          passwordReset: null,
          action: 'user.password-changed',
          endsSessions: true,
          mail: links.passwordChangedMail(latest),
        }
      })
      await sessionStore.revokeAll(userId)
      const { accessToken, refreshToken } = await sessions.start(changed)
      return { accessToken, refreshToken }
    },

    /**
     * Requests a mail with a link to reset the password of an account. Returns whether the system sends mail, before the
     * account is looked up, so that neither the answer nor its time reveals whether it exists. Throws `tooManyRequests`
     * for too many requests from one IP address; too many for one account are ignored, because an error would reveal it.
     */
    forgot: async ({ email, address }: { email: string; address: string }): Promise<boolean> => {
      if (!links.sendsMail) return false
      await limits.resetsPerAddress.consume(addressKey(address))
      queue.run(() => requestMail(email))
      return true
    },

    /** Sets a new password by a reset link, and notifies the owner of the account by mail. Throws `invalid`. */
    reset: async (passwordByLink: PasswordByLink): Promise<void> => {
      await setByLink(passwordByLink, 'passwordReset', links.passwordChangedMail)
    },

    /** Tells who an invitation is for and who has sent it, before it is accepted. Throws `invalid`. */
    readInvitation: async (token: string): Promise<Pick<User, 'email' | 'role'> & { invitedBy?: string }> => {
      const { user, invitation } = await findByLink('invitation', token)
      const inviter = invitation?.invitedBy ? await users.find(invitation.invitedBy) : undefined
      return { email: user.email, role: user.role, ...(inviter && { invitedBy: inviter.user.email }) }
    },

    /** Sets the first password of an invited account. Throws `invalid` if the link is no longer valid. */
    acceptInvitation: async ({
      language,
      ...passwordByLink
    }: PasswordByLink & { language: Locale | undefined }): Promise<void> => {
      await sessions.recordLanguage(await setByLink(passwordByLink, 'invitation'), language)
    },

    /**
     * Sends the owner of an account a link to set a new password, or returns the link where the system sends no mail.
     * Throws `notFound`, and `conflict` if the account has no password yet or may not sign in.
     */
    sendReset: async (userId: string): Promise<{ resetUrl?: string }> => {
      const newLink = newResetLink(userId)
      await changeAccount(users, userId, (account) => {
        if (account.passwordHash === undefined)
          throw conflict('This account has no password yet. Please invite its owner again.', {
            code: 'invitation_pending',
          })
        if (!account.isActive)
          throw conflict('This account is deactivated. Please activate it first.', {
            code: 'account_deactivated',
          })
        return {
          passwordReset: newLink.link,
          action: 'user.password-reset-sent',
          mail: links.linkMail('password-reset', account, newLink),
        }
      })
      return links.sendsMail ? {} : { resetUrl: newLink.url }
    },
  }
}
