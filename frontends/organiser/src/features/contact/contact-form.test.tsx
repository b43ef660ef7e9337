/** @jest-environment jsdom */
import { beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { openSession } from '@confetti/session'
import { Toaster } from '@confetti/ui/toaster'
import { ContactForm } from './contact-form.tsx'

const sent: unknown[] = []

/** Answers for the network; jsdom has no Response of its own. */
const serve = (status: number, body: unknown): void => {
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
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send Message' }))
const notice = async () => (await screen.findByRole('status')).textContent

const open = (userId = 'user-1'): void => {
  cleanup()
  render(
    <>
      <ContactForm userId={userId} />
      <Toaster />
    </>,
  )
}
const write = async (): Promise<void> => {
  await userEvent.type(subject(), 'Harbour fair')
  await userEvent.type(message(), 'One more day, please.')
}

/** What the test before has left. */
const closeNotices = (): void => {
  const { unmount } = render(<Toaster />)
  for (const close of screen.queryAllByRole('button', { name: 'Close' })) fireEvent.click(close)
  unmount()
}

beforeEach(() => {
  sessionStorage.clear()
  sent.length = 0
  openSession({ brand: 'Confetti', apiUrl: 'https://api.example.test' })
  closeNotices()
  serve(201, { message: 'Your message has been sent to the admin.' })
  open()
})

test('When a message is sent, then the server says so and the form is empty', async () => {
  await write()
  await send()
  expect(await notice()).toContain('Message SentYour message has been sent to the admin.')
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
  'When %s, then nothing is sent and the keyboard is where something is missing',
  async (_, one, two, at) => {
    if (one) await userEvent.type(subject(), one)
    if (two) await userEvent.type(message(), two)
    await send()
    expect(await notice()).toContain('Missing FieldsPlease fill in all fields.')
    expect(document.activeElement).toBe(screen.getByLabelText(at))
    expect(sent).toEqual([])
  },
)

test('When the server refuses, then its words are shown and what was written stays', async () => {
  serve(400, { message: 'The subject is longer than 200 characters.', code: 'invalid' })
  await write()
  await send()
  expect(await notice()).toContain('ErrorThe subject is longer than 200 characters.')
  expect([subject().value, message().value]).toEqual(['Harbour fair', 'One more day, please.'])
})

test.each([
  [
    'the connection is lost',
    () => (globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))),
  ],
  ['a proxy answers with a page', () => serve(502, '<html>Bad Gateway</html>')],
])('When %s, then it says that the message was not sent', async (_, fail) => {
  fail()
  await write()
  await send()
  expect(await notice()).toContain('ErrorFailed to send message. Please try again later.')
})

test('When the page goes before a message was sent, then it is there again, for its writer alone', async () => {
  await write()
  open('user-2')
  expect([subject().value, message().value]).toEqual(['', ''])
  open('user-1')
  expect([subject().value, message().value]).toEqual(['Harbour fair', 'One more day, please.'])
})

test('When it is on its way, then the button says so and a second tap sends nothing', async () => {
  const answer = Promise.withResolvers<Response>()
  const fetched = jest.fn(() => answer.promise)
  globalThis.fetch = fetched
  await write()
  await send()
  const button = screen.getByRole('button', { name: 'Sending...' })
  await userEvent.click(button)
  expect(fetched).toHaveBeenCalledTimes(1)
  answer.reject(new TypeError('Failed to fetch'))
  await waitFor(() => expect(button.textContent).toBe('Send Message'))
})

test('When something else is stored in the place of a draft, then the form is empty', () => {
  for (const kept of ['{"subject":', 'null', '42', '{"subject":1,"message":2}']) {
    sessionStorage.setItem('contactDraft:user-1', kept)
    open()
    expect([subject().value, message().value]).toEqual(['', ''])
  }
})
