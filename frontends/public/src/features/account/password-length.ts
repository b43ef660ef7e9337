import { countCodePoints, MAX_PASSWORD_CHARACTERS } from '@confetti/contracts'
import { getText } from '../../owner-texts.ts'

/** The message about a password that is too long; undefined if it is not. */
export const findPasswordTooLong = (password: string): string | undefined =>
  countCodePoints(password) > MAX_PASSWORD_CHARACTERS
    ? getText('account.password.tooLong', { max: String(MAX_PASSWORD_CHARACTERS) })
    : undefined
