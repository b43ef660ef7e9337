import { z } from 'zod'
import { userId } from '../ids.ts'
import { DEFAULT_PAGE_SIZE } from '../limits.ts'
import { defineRoute } from '../route-contract.ts'
import { MAX_EMAIL_CHARACTERS } from '../text-limits.ts'
import { emailAddress, newEmailAddress, passwordText, role, tokens } from './auth.ts'
import { messageResponse, page } from './errors.ts'

const missingEmail = 'Please enter an email address.'
const newPassword = passwordText('Please enter a new password.')
const badSearch = 'The search is a part of an email address.'
const invalidLink = 'This link is no longer valid.'

/** What an account looks like to admins. */
export const account = z
  .object({
    _id: userId,
    email: z.string(),
    role,
    /** Whether the account may sign in. */
    active: z.boolean(),
    createdAt: z.iso.datetime(),
    lastSignInAt: z.iso.datetime().optional(),
    /** When the account was last invited; absent once its owner has set a password. */
    invitedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof account>

/** Whether the system sends mail. */
const mail = z.enum(['on', 'off'])

export const getAuthSettings = defineRoute({
  method: 'get',
  path: '/api/auth/settings',
  summary: 'Whether people can register themselves, and whether forgotten passwords can be reset by mail',
  access: 'anyone',
  responses: { 200: z.object({ registration: z.enum(['open', 'invitation']), mail }) },
})

export const changePassword = defineRoute({
  method: 'post',
  path: '/api/auth/password',
  summary: 'Change the own password: all sessions end, and the answer has the tokens of a new one',
  access: 'member',
  body: z.object({
    currentPassword: passwordText('Please enter your current password.'),
    newPassword,
  }),
  responses: { 200: messageResponse.extend(tokens.shape) },
  errors: [429],
})

export const logoutAll = defineRoute({
  method: 'post',
  path: '/api/auth/logout-all',
  summary: 'End all sessions of the own account, this one included',
  access: 'member',
  responses: { 200: messageResponse },
})

export const forgotPassword = defineRoute({
  method: 'post',
  path: '/api/auth/forgot-password',
  summary: 'Request a mail with a link to reset a password; the answer is the same for unknown addresses',
  access: 'anyone',
  body: z.object({ email: emailAddress(missingEmail) }),
  responses: { 202: messageResponse.extend({ mail }) },
  errors: [429],
})

const linkToken = z.string({ error: invalidLink }).max(200, invalidLink)
const passwordByLink = z.object({ token: linkToken, password: newPassword })

export const resetPassword = defineRoute({
  method: 'post',
  path: '/api/auth/reset-password',
  summary: 'Set a new password with the token of a reset link: all sessions of the account end',
  access: 'anyone',
  body: passwordByLink,
  responses: { 200: messageResponse },
})

/** By POST, so that no log contains the token. */
export const readInvitation = defineRoute({
  method: 'post',
  path: '/api/auth/invitation',
  summary: 'Tell who an invitation link is for, and who has sent it',
  access: 'anyone',
  body: z.object({ token: linkToken }),
  responses: {
    200: z.object({
      email: z.string(),
      role,
      /** The email address of the admin; absent where that account has been erased. */
      invitedBy: z.string().optional(),
    }),
  },
})

export const acceptInvitation = defineRoute({
  method: 'post',
  path: '/api/auth/accept-invitation',
  summary: 'Set the first password of an account with the token of an invitation link',
  access: 'anyone',
  body: passwordByLink,
  responses: { 200: messageResponse },
})

const accountList = z.object({ users: z.array(account), nextCursor: z.string().optional() })
export type AccountList = z.infer<typeof accountList>

export const listAccounts = defineRoute({
  method: 'get',
  path: '/api/admin/users',
  summary: `List the accounts, newest first, at most ${DEFAULT_PAGE_SIZE} at once without a limit`,
  access: 'admin',
  query: page.extend({
    /** A part of the email address, of the characters that one can have. */
    search: z
      .string({ error: badSearch })
      .trim()
      .toLowerCase()
      .max(MAX_EMAIL_CHARACTERS, badSearch)
      .regex(/^[\w'+\-.@]*$/, badSearch)
      .optional(),
  }),
  responses: { 200: accountList },
})

export const inviteUser = defineRoute({
  method: 'post',
  path: '/api/admin/users',
  summary: 'Invite somebody, or invite again who has not accepted yet: the earlier link stops working',
  access: 'admin',
  body: z.object({
    email: newEmailAddress(missingEmail),
    role: z.enum(['user', 'admin'], { error: 'Please choose a role.' }),
  }),
  responses: {
    201: messageResponse.extend({
      user: account,
      /** The link to pass on; only where the system sends no mail. */
      invitationUrl: z.url().optional(),
    }),
  },
  errors: [409],
})

export const updateUser = defineRoute({
  method: 'patch',
  path: '/api/admin/users/{userId}',
  summary: 'Change the role of an account, or whether it may sign in',
  access: 'admin',
  params: z.object({ userId }),
  body: z
    .object({
      role: role.optional(),
      active: z.boolean({ error: 'Active is true or false.' }).optional(),
    })
    .refine((changes) => Object.keys(changes).length > 0, { error: 'Please send what to change.' })
    .meta({ minProperties: 1 }),
  responses: { 200: messageResponse.extend({ user: account }) },
  errors: [404, 409],
  notFoundCode: 'user_not_found',
})

export const sendPasswordReset = defineRoute({
  method: 'post',
  path: '/api/admin/users/{userId}/password-reset',
  summary: 'Send the owner of an account a link to set a new password',
  access: 'admin',
  params: z.object({ userId }),
  responses: {
    201: messageResponse.extend({
      /** The link to pass on; only where the system sends no mail. */
      resetUrl: z.url().optional(),
    }),
  },
  errors: [404, 409],
  notFoundCode: 'user_not_found',
})

export const eraseUser = defineRoute({
  method: 'delete',
  path: '/api/admin/users/{userId}',
  summary: 'Erase an account; its address can be used again',
  access: 'admin',
  params: z.object({ userId }),
  responses: { 200: messageResponse },
  errors: [404, 409],
  notFoundCode: 'user_not_found',
})

export const accountsRoutes = {
  getAuthSettings,
  changePassword,
  logoutAll,
  forgotPassword,
  resetPassword,
  readInvitation,
  acceptInvitation,
  listAccounts,
  inviteUser,
  updateUser,
  sendPasswordReset,
  eraseUser,
}
