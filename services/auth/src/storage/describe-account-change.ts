import type { User } from '@confetti/contracts'
import type { AuditedChange } from '@confetti/messaging'
import { currentCaller } from '@confetti/service-kit'
import type { Account, AccountChange } from '../accounts/user.ts'

/** Where nobody is signed in, as after a link from a mail, the owner of the account is the actor. */
const actorOf = ({ _id, email }: User): AuditedChange['actor'] => {
  const caller = currentCaller()
  return caller && !caller.principal ? { _id, email } : undefined
}

const aboutUser = (
  user: User,
  action: AuditedChange['action'],
  details: AuditedChange['details'] = {},
): AuditedChange => ({
  action,
  subject: { type: 'user', id: user._id },
  actor: actorOf(user),
  details: { email: user.email, ...details },
})

/** What the audit log says about a new account. */
export const describeNewAccount = (user: User): AuditedChange =>
  aboutUser(user, 'user.created', { role: user.role })

/** What the audit log says about a change of an account. */
export const describeAccountChange = (
  { user, isActive }: Account,
  { action, role = user.role, isActive: willBeActive = isActive }: AccountChange,
): AuditedChange[] => [
  ...(action ? [aboutUser(user, action)] : []),
  ...(role === user.role
    ? []
    : [aboutUser(user, 'user.role-changed', { role: { from: user.role, to: role } })]),
  ...(willBeActive === isActive
    ? []
    : [aboutUser(user, willBeActive ? 'user.activated' : 'user.deactivated')]),
]
