import { ApiError, getErrorMessage } from '@confetti/api-client'
import { createTexts, getLocale } from '@confetti/i18n'

const { getText, hasText } = createTexts()

/** An error that the page itself has found. Its text is that of `toText` at the time when it is shown. */
export class PageError extends Error {
  readonly toText: () => string

  constructor(toText: () => string, options?: ErrorOptions) {
    super(toText(), options)
    this.toText = toText
  }
}

/**
 * What to tell a user about a failure, in the page's language: by the error's code, or by the server's own message,
 * which is English, where the code is not known. In English the server's message is the more precise one. Store the
 * error and not this text, so that what is shown follows the language.
 */
export const getFailureText = (error: unknown): string => {
  if (error instanceof PageError) return error.toText()
  if (getLocale() === 'en' || !(error instanceof ApiError)) return getErrorMessage(error)
  const id = `failure.${error.code}`
  return hasText(id) ? getText(id) : getErrorMessage(error)
}

/**
 * What to tell a user about each field that the server rejected, by the field's name. Like `getFailureText`: by the code,
 * or the server's message in English and where the code is not known.
 */
export const getFieldErrors = (error: unknown): Readonly<Record<string, string>> => {
  if (!(error instanceof ApiError)) return {}
  const { fieldErrors, details = [] } = error
  if (getLocale() === 'en') return fieldErrors
  // The first message about a field is the one that is shown, so it comes last here.
  const translated = [...details].reverse().map(({ field, message, code = '', limit }) => {
    const id = `failure.${code}`
    return [field, hasText(id) ? getText(id, limit === undefined ? {} : { limit }) : message] as const
  })
  return { ...fieldErrors, ...Object.fromEntries(translated) }
}
