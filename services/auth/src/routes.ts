import {
  defineRoute,
  getUser,
  listChangedUsers,
  listRevokedTokens,
  matchLocale,
  serviceRoutes,
} from '@confetti/contracts'
import type { Handlers } from '@confetti/service-kit'
import { z } from 'zod'
import type { Capabilities } from './capabilities.ts'
import { publicJwk } from './sessions/signing-keys.ts'

/** The JWK Set (RFC 7517) that services verify access tokens with. It is not part of the public API. */
export const listSigningKeys = defineRoute({
  method: 'get',
  path: '/.well-known/jwks.json',
  summary: 'The public keys that access tokens are verified with',
  access: 'anyone',
  responses: { 200: z.object({ keys: z.array(publicJwk) }) },
})

export const authContracts = {
  ...serviceRoutes.auth,
  getUser,
  listChangedUsers,
  listRevokedTokens,
  listSigningKeys,
}

export const authRoutes = ({
  deps: { config, keys },
  sessions,
  passwords,
  accounts,
  audit,
}: Capabilities): Handlers<typeof authContracts> => ({
  register: ({ body, address, languages }) =>
    sessions.register({ ...body, address, language: matchLocale(languages) }),
  login: ({ body, address, languages }) =>
    sessions.login({ ...body, address, language: matchLocale(languages) }),
  refresh: ({ body }) => sessions.refresh(body.refreshToken),
  logout: async ({ body }) => {
    await sessions.logout(body.refreshToken)
    return { message: 'Logged out successfully' }
  },
  logoutAll: async ({ principal }) => {
    await sessions.logoutAll(principal.userId)
    return { message: 'Signed out everywhere.' }
  },
  getAuthSettings: () => ({ registration: config.REGISTRATION, mail: config.MAIL }),
  changePassword: async ({ body, principal, address }) => {
    const tokens = await passwords.change({ ...body, userId: principal.userId, address })
    return { message: 'Password changed.', ...tokens }
  },
  forgotPassword: async ({ body, address }) =>
    (await passwords.forgot({ ...body, address }))
      ? { message: 'If there is an account with this address, we have sent a mail to it.', mail: 'on' }
      : { message: 'Please ask an admin for help.', mail: 'off' },
  resetPassword: async ({ body }) => {
    await passwords.reset(body)
    return { message: 'Password changed. Please sign in.' }
  },
  readInvitation: ({ body }) => passwords.readInvitation(body.token),
  acceptInvitation: async ({ body, languages }) => {
    await passwords.acceptInvitation({ ...body, language: matchLocale(languages) })
    return { message: 'Your account is ready. Please sign in.' }
  },
  sendPasswordReset: async ({ params }) => {
    const sent = await passwords.sendReset(params.userId)
    return { message: sent.resetUrl ? 'Link created.' : 'Mail sent.', ...sent }
  },
  listUsers: () => accounts.listOrganisers(),
  listAccounts: ({ query }) => accounts.list(query),
  inviteUser: async ({ body, principal }) => {
    const invited = await accounts.invite({ ...body, invitedBy: principal.userId })
    return { message: invited.invitationUrl ? 'Account created.' : 'Invitation sent.', ...invited }
  },
  updateUser: {
    check: ({ params }) => accounts.get(params.userId),
    handle: async ({ params, body }) => ({
      message: 'Account changed.',
      user: await accounts.update(params.userId, body),
    }),
  },
  eraseUser: async ({ params }) => {
    await accounts.erase(params.userId)
    return { message: 'Account erased.' }
  },
  listAudit: ({ query }) => audit.list(query),
  getUser: ({ params }) => accounts.get(params.userId),
  listChangedUsers: ({ query }) => accounts.listChanges(query.since),
  listRevokedTokens: () => accounts.listRevoked(),
  listSigningKeys: () => ({ keys: keys.published }),
})
