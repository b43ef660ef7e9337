import type { Locale } from '@confetti/contracts'
import type { RecordLanguage } from './record-language.ts'
import { makeSetPasswordByLink, type PasswordByLink, type SetPasswordDeps } from './set-password-by-link.ts'

interface Deps extends SetPasswordDeps {
  recordLanguage: RecordLanguage
}

/** Sets the first password of an invited account. Throws `invalid` if the link is no longer valid. */
export const makeAcceptInvitation = ({ recordLanguage, ...deps }: Deps) => {
  const setPassword = makeSetPasswordByLink(deps, 'invitation')
  return async ({
    language,
    ...passwordByLink
  }: PasswordByLink & { language: Locale | undefined }): Promise<void> => {
    const account = await setPassword(passwordByLink)
    await recordLanguage(account, language)
  }
}
export type AcceptInvitation = ReturnType<typeof makeAcceptInvitation>
