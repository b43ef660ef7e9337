import { beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { loadCatalogues } from '@confetti/i18n'
import { initSession } from '@confetti/session'
import { Toaster } from '@confetti/ui/toaster'
import { ContactForm } from './contact-admin.tsx'
import { catalogues } from '../texts.ts'

await loadCatalogues(catalogues)

const sent: unknown[] = []

/** Replaces `fetch`; jsdom does not have `Response`. */
const stubApi = (status: number, body: unknown): void => {
  globalThis.fetch = (_, init) => {
    sent.push(JSON.parse(init?.body as string))
    return Promise.resolve({
      ok: status < 300,
      status,
      headers: { get: () => null },
      text: () => Promise.resolve(typeof body === 'string' ? body : JSON.stringify(body)),
    } as unknown as Response)
  }
}

const subject = () => screen.getByLabelText<HTMLInputElement>('Subject')
const message = () => screen.getByLabelText<HTMLTextAreaElement>('Message')
const describedBy = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send Message' }))
const noticeText = async () => {
  await screen.findByRole('button', { name: 'Close' })
  return screen.getByRole('region', { name: /^Notifications/ }).textContent
}

const open = (userId = 'user-1'): void => {
  cleanup()
  render(
    <>
      <ContactForm userId={userId} />
      <Toaster />
    </>,
  )
}
const fillIn = async (): Promise<void> => {
  await userEvent.type(subject(), 'Harbour fair')
  await userEvent.type(message(), 'One more day, please.')
}

/** Closes the notices that an earlier test has left open. */
const closeNotices = (): void => {
  const { unmount } = render(<Toaster />)
  for (const close of screen.queryAllByRole('button', { name: 'Close' })) fireEvent.click(close)
  unmount()
}

beforeEach(() => {
  sessionStorage.clear()
  sent.length = 0
  initSession({ brand: 'Confetti', apiUrl: 'https://api.example.test' })
  closeNotices()
  stubApi(201, { message: 'Your message has been sent to the admin.' })
  open()
})

test('When a message has been sent, then the server’s message is shown and the form is empty', async () => {
  await fillIn()
  await send()
  expect(await noticeText()).toContain('Message SentYour message has been sent to the admin.')
  expect(sent).toEqual([{ subject: 'Harbour fair', message: 'One more day, please.' }])
  expect([subject().value, message().value]).toEqual(['', ''])
  open()
  expect([subject().value, message().value]).toEqual(['', ''])
})

test.each([
  ['both fields are empty', '', '', 'Subject'],
  ['the subject is blank', '   ', 'One more day', 'Subject'],
  ['the message is blank', 'Harbour fair', ' {Enter} ', 'Message'],
])(
  'When %s, then nothing is sent and the missing field has the focus',
  async (_, subjectText, messageText, focusedField) => {
    if (subjectText) await userEvent.type(subject(), subjectText)
    if (messageText) await userEvent.type(message(), messageText)
    await send()
    expect(await noticeText()).toContain('Missing FieldsPlease fill in all fields.')
    expect(document.activeElement).toBe(screen.getByLabelText(focusedField))
    expect(sent).toEqual([])
  },
)

test('When the server refuses a field, then its message is at the field, which has the focus, and the draft stays', async () => {
  const text = 'The subject is longer than 200 characters.'
  const details = [{ field: 'subject', message: text }]
  stubApi(400, { message: text, code: 'invalid', details })
  await fillIn()
  await send()
  expect(describedBy(subject())).toBe(text)
  expect(subject().getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(subject())
  expect(message().hasAttribute('aria-invalid')).toBe(false)
  expect(await noticeText()).toContain('ErrorThe subject is longer than 200 characters.')
  expect([subject().value, message().value]).toEqual(['Harbour fair', 'One more day, please.'])
  await userEvent.type(subject(), '!')
  expect(subject().hasAttribute('aria-invalid')).toBe(false)
})

test('When a text gets too long, then its field says so before it is sent; emoji count as one character', () => {
  fireEvent.change(subject(), { target: { value: '🎉'.repeat(200) } })
  expect(subject().hasAttribute('aria-invalid')).toBe(false)
  fireEvent.change(subject(), { target: { value: '🎉'.repeat(201) } })
  expect(describedBy(subject())).toBe('The subject is longer than 200 characters.')
  fireEvent.change(message(), { target: { value: 'x'.repeat(5_001) } })
  expect(describedBy(message())).toBe('The message is longer than 5000 characters.')
})

test.each([
  [
    'the connection is lost',
    () => (globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))),
  ],
  ['a proxy responds with a page', () => stubApi(502, '<html>Bad Gateway</html>')],
])('When %s, then a notice says that the message was not sent', async (_, fail) => {
  fail()
  await fillIn()
  await send()
  expect(await noticeText()).toContain('ErrorFailed to send message. Please try again later.')
})

test('When the page is left before a message is sent, then the draft is restored, for its user only', async () => {
  await fillIn()
  open('user-2')
  expect([subject().value, message().value]).toEqual(['', ''])
  open('user-1')
  expect([subject().value, message().value]).toEqual(['Harbour fair', 'One more day, please.'])
})

test('When a message is being sent, then the button says so and a second click sends nothing', async () => {
  const response = Promise.withResolvers<Response>()
  const fetched = jest.fn(() => response.promise)
  globalThis.fetch = fetched
  await fillIn()
  await send()
  const button = screen.getByRole('button', { name: 'Sending...' })
  await userEvent.click(button)
  expect(fetched).toHaveBeenCalledTimes(1)
  response.reject(new TypeError('Failed to fetch'))
  await waitFor(() => expect(button.textContent).toBe('Send Message'))
})

test('When the stored draft is invalid, then the form is empty', () => {
  for (const stored of ['{"subject":', 'null', '42', '{"subject":1,"message":2}']) {
    sessionStorage.setItem('contactDraft:user-1', stored)
    open()
    expect([subject().value, message().value]).toEqual(['', ''])
  }
})
