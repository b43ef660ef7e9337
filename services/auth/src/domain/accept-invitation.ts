import { makeSetPasswordByLink, type SetPasswordDeps } from './set-password-by-link.ts'

/** Sets the first password of an invited account. Throws `invalid` if the link is no longer valid. */
export const makeAcceptInvitation = (deps: SetPasswordDeps) => makeSetPasswordByLink(deps, 'invitation')
export type AcceptInvitation = ReturnType<typeof makeAcceptInvitation>
