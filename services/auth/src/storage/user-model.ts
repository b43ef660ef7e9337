import type { Locale, Role, User } from '@confetti/contracts'
import { outboxPlugin, type AuditedChange, type OutboxFields } from '@confetti/messaging'
import { currentCaller, pickDefined, type ChangeField } from '@confetti/service-kit'
import { Schema, type Connection, type Types } from 'mongoose'
import type { Account, AccountChange, AccountLink } from '../accounts/user.ts'

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

export interface UserDocument extends OutboxFields, ChangeField {
  _id: Types.ObjectId
  email: string
  role: Role
  passwordHash?: string
  createdAt: Date
  /** Absent: true. */
  active?: boolean
  /** Absent: 0, as in the other revisions. */
  revision?: number
  accessRevision?: number
  accessRevokedAt?: Date
  sessionsRevision?: number
  language?: Locale
  lastSignInAt?: Date
  invitedAt?: Date
  invitation?: AccountLink
  passwordReset?: AccountLink
  leavingAdminsSince?: Date
  /** The revision of what other services copy. Absent: `revision`. */
  copyRevision?: number
  erased?: boolean
  /** Until all services have erased what they have of an erased account: its address, by which they find it. */
  erasedEmail?: string
  /** When `user.deleted` was last written. Absent: all services have erased what they had. */
  erasureRequestedAt?: Date
  /** The services that have. */
  erasedBy?: string[]
}

/** The fields that not every account has. None is left of an erased one. */
export const optionalFields = [
  'passwordHash',
  'language',
  'lastSignInAt',
  'invitedAt',
  'invitation',
  'passwordReset',
  'leavingAdminsSince',
] as const

export const toUser = ({ _id, email, role }: Pick<UserDocument, '_id' | 'email' | 'role'>): User => ({
  _id: _id.toHexString(),
  email,
  role,
})

export const toAccount = (document: Omit<UserDocument, keyof OutboxFields>): Account => ({
  user: toUser(document),
  isActive: document.active ?? true,
  revision: document.revision ?? 0,
  accessRevision: document.accessRevision ?? 0,
  sessionsRevision: document.sessionsRevision ?? 0,
  createdAt: document.createdAt,
  ...pickDefined(document, optionalFields),
})

export const createUserModel = (connection: Connection) => {
  const link = new Schema<AccountLink>(
    {
      hash: { type: String, required: true },
      expiresAt: { type: Date, required: true },
      invitedBy: String,
    },
    { _id: false },
  )
  const schema = new Schema<UserDocument>({
    email: { type: String, required: true, unique: true },
    role: { type: String, required: true, enum: ['user', 'admin'] },
    passwordHash: String,
    createdAt: { type: Date, required: true },
    active: Boolean,
    revision: Number,
    accessRevision: Number,
    accessRevokedAt: Date,
    sessionsRevision: Number,
    language: String,
    lastSignInAt: Date,
    invitedAt: Date,
    invitation: link,
    passwordReset: link,
    leavingAdminsSince: Date,
    changedAt: Date,
    copyRevision: Number,
    erased: Boolean,
    erasedEmail: String,
    erasureRequestedAt: Date,
    erasedBy: { type: [String], default: undefined },
  })
  schema.index({ role: 1, email: 1 })
  schema.index({ createdAt: 1, _id: 1 })
  schema.index({ accessRevokedAt: 1 })
  schema.index({ changedAt: 1, _id: 1 })
  schema.index({ erasureRequestedAt: 1 })
  outboxPlugin(schema)
  return connection.model<UserDocument>('User', schema)
}
export type UserModel = ReturnType<typeof createUserModel>
