import type { AccountMail } from './account-mail.ts'
import { makeSetPasswordByLink, type SetPasswordDeps } from './set-password-by-link.ts'

interface Deps extends SetPasswordDeps {
  mail: Pick<AccountMail, 'passwordChangedMail'>
}

/** Sets a new password by a reset link, and notifies the owner of the account by mail. Throws `invalid`. */
export const makeResetPassword = ({ mail, ...deps }: Deps) =>
  makeSetPasswordByLink(deps, 'passwordReset', mail.passwordChangedMail)
export type ResetPassword = ReturnType<typeof makeResetPassword>
