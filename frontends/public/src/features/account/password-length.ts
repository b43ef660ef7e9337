import { countCodePoints, MAX_PASSWORD_CHARACTERS, tooLongMessage } from '@confetti/contracts'

/** The message about a password that is too long; undefined if it is not. */
export const findPasswordTooLong = (password: string): string | undefined =>
  countCodePoints(password) > MAX_PASSWORD_CHARACTERS
    ? tooLongMessage('password', MAX_PASSWORD_CHARACTERS)
    : undefined
