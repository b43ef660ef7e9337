import { z } from 'zod'
import { userId } from '../ids.ts'
import { defineRoute, issueParams } from '../route-contract.ts'
import {
  countCodePoints,
  MAX_EMAIL_CHARACTERS,
  MAX_PASSWORD_CHARACTERS,
  tooLongMessage,
} from '../text-limits.ts'
import { messageResponse } from './errors.ts'

const missing = 'Email and password are required.'

const badEmail = 'Please enter a valid email address.'

/** An email address, trimmed and in lower case; `missingMessage` is for one that is absent or blank. */
export const emailAddress = (missingMessage: string) =>
  z
    .string({ error: missingMessage })
    .trim()
    .toLowerCase()
    .min(1, { error: missingMessage, abort: true })
    .max(MAX_EMAIL_CHARACTERS, badEmail)

/** Like `emailAddress`, and of the form that an account can have. */
export const newEmailAddress = (missingMessage: string) =>
  emailAddress(missingMessage).regex(z.regexes.email, badEmail)

/** A password; `missingMessage` is for one that is absent or empty. */
export const passwordText = (missingMessage: string) =>
  z
    .string({ error: missingMessage })
    .min(1, missingMessage)
    .refine((value) => countCodePoints(value) <= MAX_PASSWORD_CHARACTERS, {
      error: tooLongMessage('password', MAX_PASSWORD_CHARACTERS),
      params: issueParams('too_long', MAX_PASSWORD_CHARACTERS),
    })
    .meta({ maxLength: MAX_PASSWORD_CHARACTERS })

export const newAccount = z.object({ email: newEmailAddress(missing), password: passwordText(missing) })
const credentials = z.object({ email: emailAddress(missing), password: passwordText(missing) })

export const role = z.enum(['user', 'admin'])

export const user = z.object({ _id: userId, email: z.string(), role }).meta({ id: 'User' })
export type User = z.infer<typeof user>

export const tokens = z.object({ accessToken: z.string(), refreshToken: z.string() })
const session = tokens.extend({ user }).meta({ id: 'Session' })

const refreshToken = z.object({
  refreshToken: z
    .string({ error: 'No refresh token found' })
    .min(1, 'No refresh token found')
    .max(1_000, 'Your session has expired.'),
})

export const register = defineRoute({
  method: 'post',
  path: '/api/auth/register',
  summary: 'Create an account with role user and sign in',
  access: 'anyone',
  body: newAccount,
  responses: { 201: session },
  errors: [403, 409, 429],
})

export const login = defineRoute({
  method: 'post',
  path: '/api/auth/login',
  summary: 'Sign in',
  access: 'anyone',
  body: credentials,
  responses: { 200: session },
  errors: [401, 403, 429],
})

export const refresh = defineRoute({
  method: 'post',
  path: '/api/auth/refresh',
  summary: 'Exchange a refresh token for new tokens; the old one becomes invalid',
  access: 'anyone',
  body: refreshToken,
  responses: { 200: tokens },
  errors: [401],
})

export const logout = defineRoute({
  method: 'post',
  path: '/api/auth/logout',
  summary: 'End the session that a refresh token belongs to',
  access: 'anyone',
  body: refreshToken,
  responses: { 200: messageResponse },
})

export const listUsers = defineRoute({
  method: 'get',
  path: '/api/users',
  summary: 'List the accounts that an event can be assigned to',
  access: 'admin',
  responses: { 200: z.array(user) },
})

export const authRoutes = { register, login, refresh, logout, listUsers }
