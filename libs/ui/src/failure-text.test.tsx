import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ApiError } from '@confetti/api-client'
import { loadCatalogues, setLocale } from '@confetti/i18n'
import { failureCatalogue } from './failure-catalogue.ts'
import { getFailureText, getFieldErrors, PageError } from './failure-text.ts'

beforeAll(async () => {
  await loadCatalogues([failureCatalogue])
  await setLocale('de')
})
afterAll(() => setLocale('en'))

const message = 'In English.'
const reject = (details: NonNullable<ApiError['details']>, code = 'invalid') =>
  new ApiError(400, { code, message, details })

test('When the server rejects fields, then each has the text of its first code in the language of the page', () => {
  const error = reject([
    { field: 'subject', message, code: 'too_long', limit: 5_000 },
    { field: 'subject', message, code: 'malformed' },
    { field: 'message', message, code: 'required' },
    { field: 'email', message, code: 'email_taken' },
  ])
  expect(getFieldErrors(error)).toEqual({
    subject: 'Höchstens 5.000 Zeichen.',
    message: 'Bitte ausfüllen.',
    email: 'Mit dieser E-Mail-Adresse gibt es schon ein Konto.',
  })
})

test('When an older server sends no code, or a newer one an unknown code, then its message is shown', () => {
  expect(
    getFieldErrors(
      reject([
        { field: 'subject', message },
        { field: 'message', message, code: 'of_next_year' },
      ]),
    ),
  ).toEqual({ subject: message, message })
  expect(getFailureText(reject([], 'of_next_year'))).toBe(message)
})

test('When the shell has an older copy of the API client, then the messages of the server are shown', () => {
  const { details, ...older } = reject([{ field: 'subject', message, code: 'required' }])
  expect(details).toHaveLength(1)
  expect(getFieldErrors(Object.assign(Object.create(ApiError.prototype), older))).toEqual({
    subject: message,
  })
})

test('When the page is English, then it shows the messages of the server, which are more precise', async () => {
  await setLocale('en')
  const error = reject([{ field: 'subject', message, code: 'required' }])
  expect([getFailureText(error), getFieldErrors(error)]).toEqual([message, { subject: message }])
})

test('When the page itself has found an error, then its text is that of the language in which it is shown', () => {
  let text = 'Leer.'
  const error = new PageError(() => text)
  expect(getFailureText(error)).toBe('Leer.')
  text = 'Empty.'
  expect(getFailureText(error)).toBe('Empty.')
})
