import { ApiError, getErrorMessage } from '@confetti/api-client'
import { createTexts, getLocale } from '@confetti/i18n'

const { getText, hasText } = createTexts()

/**
 * What to tell a user about a failed call, in the page's language: by the error's code, or by the server's own message,
 * which is English, where the code is not known. In English the server's message is the more precise one.
 */
export const getFailureText = (error: unknown): string => {
  if (getLocale() === 'en' || !(error instanceof ApiError)) return getErrorMessage(error)
  const id = `failure.${error.code}`
  return hasText(id) ? getText(id) : getErrorMessage(error)
}
