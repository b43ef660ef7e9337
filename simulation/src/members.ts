import type { ErrorCode } from '@confetti/contracts'
import { AppError, type Principal } from '@confetti/service-kit'
import type { AccountPromises } from './accounts.ts'
import { ACCOUNTS, type Command } from './commands.ts'
import { BrokenPromise, isAbout, type Promises, type UploadIdentity } from './promises.ts'
import type { Sessions } from './sessions.ts'
import type { World } from './world.ts'

type AccountCommand = Extract<Command, { account: number }>

interface Account extends Principal {
  /** The latest last. Of several, nobody knows which one is valid. */
  passwords: string[]
  isChangingPassword: boolean
}

const isRefusal = (error: unknown, code: ErrorCode): boolean =>
  error instanceof AppError && error.code === code

interface MemberPromises {
  promises: Promises
  accountPromises: AccountPromises
  sessions: Sessions
}

/** What members do: an admin, the organiser of all events, and others. */
export const createMembers = (
  { ask, insist, isAnswered, listUploads }: World,
  { promises, accountPromises, sessions }: MemberPromises,
) => {
  const deleteUpload = async (upload: UploadIdentity): Promise<void> => {
    await promises.whileRemoving(isAbout(upload), () =>
      insist(() => ask('uploads', 'delete', ({ library }) => library.deleteUpload(upload.uploadId))),
    )
  }

  const changing = new Set<string>()
  const changeUpload = async (kind: 'hide' | 'show' | 'delete', index: number): Promise<void> => {
    const kept = promises.choose(index)
    if (!kept) return
    const { uploadId, eventId } = kept
    if (kind === 'delete') return deleteUpload(kept)
    // Of two changes at once nobody knows which comes last.
    if (changing.has(uploadId)) return
    changing.add(uploadId)
    const visibility = kind === 'hide' ? 'hidden' : 'visible'
    promises.recordDecision(uploadId)
    const isDone = await insist(() =>
      ask('uploads', kind, ({ library }) =>
        library.setVisibility({ _id: eventId } as never, { uploadIds: [uploadId], visibility }),
      ),
    )
    // Without an answer, it may still be changed.
    if (!isDone) return
    changing.delete(uploadId)
    if (isDone.includes(uploadId) && kind === 'hide') await promises.mustBeUnseen(kept)
  }

  let admin: Principal
  let organiserId = ''
  const accounts: Account[] = []
  let passwordCount = 1
  const createAccount = async (email: string, role: 'user' | 'admin'): Promise<Account> => {
    const password = `password ${passwordCount}`
    const account = await ask('auth', `create ${email}`, async ({ deps }) =>
      deps.users.add({ email, role, passwordHash: await deps.passwordHasher.hash(password) }),
    )
    return {
      userId: account?.user._id ?? '',
      email,
      role,
      passwords: [password],
      isChangingPassword: false,
    }
  }

  const signIn = async (account: Account): Promise<void> => {
    const { userId, email, passwords } = account
    for (const password of passwords.toReversed())
      try {
        const started = await insist(() =>
          ask('auth', 'sign in', (auth) =>
            auth.sessions.login({ email, password, address: '::1', language: undefined }),
          ),
        )
        if (started) sessions.add(userId, started.refreshToken)
        return
      } catch (error) {
        if (!isRefusal(error, 'wrong_credentials')) throw error
      }
    const isCertain = passwords.length === 1 && account.passwords === passwords
    if (isCertain && !accountPromises.isErased(email))
      throw new BrokenPromise(`The password of ${email} does not open its account`)
  }

  const changePassword = async (account: Account): Promise<void> => {
    const { userId, passwords } = account
    const currentPassword = passwords.at(-1) ?? ''
    // Of two changes at once nobody knows which comes last.
    if (account.isChangingPassword) return
    account.isChangingPassword = true
    passwordCount += 1
    const newPassword = `password ${passwordCount}`
    account.passwords = [...passwords, newPassword]
    let calls = 0
    await sessions
      .whileEndingAll(userId, async (beginInstead) => {
        try {
          const changed = await insist(() => {
            calls += 1
            return ask('auth', 'change password', (auth) =>
              auth.passwords.change({ userId, currentPassword, newPassword, address: '::1' }),
            )
          })
          if (!changed) return false
          beginInstead(changed.refreshToken)
        } catch (error) {
          // The second time, the password is wrong if the first call has changed it.
          const isChanged = calls > 1 && passwords.length === 1 && isRefusal(error, 'wrong_password')
          if (calls === 1) account.passwords = passwords
          if (!isChanged) throw error
        }
        account.passwords = [newPassword]
        return true
      })
      .finally(() => {
        account.isChangingPassword = false
      })
  }

  const useAccount = async ({ kind, account }: AccountCommand, eventId: string): Promise<void> => {
    const found = accounts[account]
    if (!found || accountPromises.isErased(found.email)) return
    const { userId, email } = found
    const setActive = (active: boolean) =>
      ask('auth', kind, (auth) => auth.accounts.update(userId, { active }))
    switch (kind) {
      case 'sign in':
        return signIn(found)
      case 'change password':
        return changePassword(found)
      case 'sign out everywhere':
        return sessions.whileEndingAll(userId, () =>
          isAnswered(() => ask('auth', kind, (auth) => auth.sessions.logoutAll(userId))),
        )
      case 'add organiser':
        await insist(() =>
          ask('events', kind, async ({ viewing, managing }) => {
            const event = await viewing.getStored(eventId)
            const organisers = [...event.organisers.map(({ _id }) => _id), userId]
            return managing.update(event, admin, { organisers: [...new Set(organisers)] })
          }),
        )
        return
      case 'write to admins': {
        const message = { subject: 'A question', message: 'May I?' }
        const sent = await insist(() =>
          ask('contact', kind, ({ contacts }) => contacts.send(message, { userId, email })),
        )
        if (sent) accountPromises.keepMessage(sent._id, email)
        return
      }
      case 'forget password':
        await insist(() => ask('auth', kind, ({ passwords }) => passwords.forgot({ email, address: '::1' })))
        return
      case 'activate':
        await insist(() => setActive(true))
        return
      case 'deactivate':
        return sessions.whileEndingAll(userId, () => isAnswered(() => setActive(false)))
      case 'erase account':
        accountPromises.startErasing(email)
        return sessions.whileEndingAll(userId, async () => {
          const isErased = await isAnswered(() =>
            ask('auth', kind, (auth) => auth.accounts.erase(userId)),
          ).catch((error: unknown) => {
            // A call that was not heard of has erased it.
            if (isRefusal(error, 'user_not_found')) return true
            throw error
          })
          if (isErased) accountPromises.keepErasure(email)
          return isErased
        })
    }
  }

  const changeEvent = async (eventId: string, settings: Record<string, unknown>): Promise<void> => {
    await insist(() =>
      ask('events', JSON.stringify(settings), async ({ viewing, managing }) =>
        managing.update(await viewing.getStored(eventId), admin, { settings }),
      ),
    )
  }

  const deleteEvent = async (eventId: string): Promise<void> => {
    promises.forgetEvent(eventId)
    await insist(() =>
      ask('events', 'delete event', async ({ viewing, managing }) =>
        managing.deleteEvent(await viewing.getStored(eventId)),
      ),
    )
  }

  return {
    /** Creates accounts, and signs the members in who change theirs. */
    createAccounts: async (): Promise<void> => {
      admin = await createAccount('admin@confetti.test', 'admin')
      const organiser = await createAccount('organiser@confetti.test', 'user')
      organiserId = organiser.userId
      while (accounts.length < ACCOUNTS) {
        const account = await createAccount(`account-${accounts.length}@confetti.test`, 'user')
        accounts.push(account)
        await signIn(account)
      }
    },

    /** Creates an event with a gallery, and returns its id. */
    createEvent: async (): Promise<string> => {
      const { _id } = await ask('events', 'create', ({ managing }) =>
        managing.create({
          name: 'Summer party',
          description: '',
          startDate: '2026-06-20',
          endDate: '2026-06-21',
          eventFor: organiserId,
        }),
      )
      await changeEvent(_id, { gallery: 'on' })
      return _id
    },

    /** Deletes something of an event. */
    deleteOne: async (eventId: string): Promise<void> => {
      const [upload] = await listUploads(eventId)
      if (!upload) return
      const { _id: uploadId, photoCredit: credit, sha256 } = upload
      await deleteUpload({ eventId, credit, file: { sha256 }, uploadId })
    },

    changeUpload,
    changeEvent,
    deleteEvent,
    useAccount,
  }
}
export type Members = ReturnType<typeof createMembers>
