import { countCodePoints, MAX_PASSWORD_CHARACTERS } from '@confetti/contracts'
import { getText } from '../../owner-texts.ts'

export const isPasswordTooLong = (password: string): boolean =>
  countCodePoints(password) > MAX_PASSWORD_CHARACTERS

export const getPasswordTooLong = (): string =>
  getText('account.password.tooLong', { max: String(MAX_PASSWORD_CHARACTERS) })
