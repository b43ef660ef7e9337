import type { Account as AccountView, User } from '@confetti/contracts'
import { conflict, type Clock } from '@confetti/service-kit'
import type { AccountMail } from './account-mail.ts'
import { toAccountView } from './account-view.ts'
import { changeAccount } from './change-account.ts'
import type { UpdateUser } from './update-user.ts'
import type { UserStore } from './user.ts'

interface Deps {
  users: Pick<UserStore, 'add' | 'find' | 'findByEmail' | 'change'>
  updateUser: UpdateUser
  mail: Pick<AccountMail, 'sendsMail' | 'newLink' | 'linkMail'>
  linkTtlMs: number
  clock: Clock
}

interface Invitation extends Pick<User, 'email' | 'role'> {
  /** The id of the admin. */
  invitedBy: string
}

/**
 * Creates an account without a password and sends its owner a link, or returns the link where the system sends no mail.
 * An account whose invitation has not been accepted is invited again: its earlier link stops working, and it gets the
 * new role. A new account has the language of the admin who invites it. Throws `conflict` if the address has an account
 * with a password.
 */
export const makeInviteUser = ({ users, updateUser, mail, linkTtlMs, clock }: Deps) => {
  const emailTaken = () => {
    const message = 'An account with this email already exists.'
    return conflict(message, {
      code: 'email_taken',
      details: [{ field: 'email', message, code: 'email_taken' }],
    })
  }

  const findOrAdd = async ({ email, role, invitedBy }: Invitation): Promise<User> => {
    const language = (await users.find(invitedBy))?.language
    const added = await users.add({ email, role, invitedAt: clock(), ...(language && { language }) })
    if (added) return added.user
    const existing = await users.findByEmail(email)
    if (!existing || existing.passwordHash !== undefined) throw emailTaken()
    if (existing.user.role !== role || !existing.isActive)
      await updateUser(existing.user._id, { role, active: true })
    return existing.user
  }

  return async (invitation: Invitation): Promise<{ user: AccountView; invitationUrl?: string }> => {
    const { _id } = await findOrAdd(invitation)
    const invitedAt = clock()
    const newLink = mail.newLink('invitation', _id, new Date(invitedAt.getTime() + linkTtlMs))
    const account = await changeAccount(users, _id, (latest) => {
      if (latest.passwordHash !== undefined) throw emailTaken()
      return {
        invitedAt,
        invitation: newLink.link,
        action: 'user.invited',
        mail: mail.linkMail('invitation', latest, newLink),
      }
    })
    return { user: toAccountView(account), ...(!mail.sendsMail && { invitationUrl: newLink.url }) }
  }
}
export type InviteUser = ReturnType<typeof makeInviteUser>
