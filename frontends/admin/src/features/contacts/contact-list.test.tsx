/** @jest-environment jsdom */
import { beforeEach, expect, test } from '@jest/globals'
import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { BrowserRouter } from '@confetti/federation/router'
import { openSession } from '@confetti/session'
import { Toaster } from '@confetti/ui/toaster'
import { ContactList } from './contact-list.tsx'

const contact = {
  _id: 'message-1',
  subject: 'A second day',
  message: 'Hello,\n\nwe would like Sunday as well.',
  createdAt: '2027-06-12T18:30:00.000Z',
  userEmail: 'organiser@example.test',
}

/** Answers for the network; jsdom has no Response of its own. */
const serve = (messages: unknown[]): void => {
  globalThis.fetch = () =>
    Promise.resolve({
      ok: true,
      status: 200,
      headers: { get: () => null },
      text: () => Promise.resolve(JSON.stringify({ messages })),
    } as unknown as Response)
}
const breakDown = (): void => {
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
}

const open = () =>
  render(
    <BrowserRouter>
      <ContactList />
      <Toaster />
    </BrowserRouter>,
  )

/** What the test before has left. */
const closeNotices = (): void => {
  const { unmount } = render(<Toaster />)
  for (const close of screen.queryAllByRole('button', { name: 'Close' })) fireEvent.click(close)
  unmount()
}

beforeEach(() => {
  openSession({ brand: 'Confetti', apiUrl: 'https://api.example.test' })
  closeNotices()
})

test('When there are messages, then each shows what was asked, when, and by whom', async () => {
  serve([contact])
  open()
  await screen.findByText('A second day')
  expect(screen.getByText(/we would like Sunday/).textContent).toBe(contact.message)
  expect(screen.getByText(new Date(contact.createdAt).toLocaleString())).toBeTruthy()
  const sender = screen.getByRole<HTMLAnchorElement>('link', { name: contact.userEmail })
  expect(sender.parentElement?.textContent).toBe('From organiser@example.test')
  expect(sender.href).toBe('mailto:organiser@example.test?subject=Re%3A%20A%20second%20day')
})

test('When there are none, then it says so, and what to do next', async () => {
  serve([])
  open()
  await screen.findByText('No contact messages found.')
  expect(screen.getByRole('link', { name: 'Create an event' }).getAttribute('href')).toBe('/events/create')
})

test('When they do not come, then a toast says so and Retry brings them, with the keyboard', async () => {
  breakDown()
  open()
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getByRole('status').textContent).toContain('ErrorFailed to fetch contact messages.')
  serve([contact])
  await userEvent.click(retry)
  await screen.findByText('A second day')
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Messages' }))
})

test('When the page is left before they come, then nobody is told of a failure', async () => {
  const called = Promise.withResolvers<AbortSignal>()
  globalThis.fetch = (_, init) => {
    const signal = init?.signal ?? new AbortController().signal
    called.resolve(signal)
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
    })
  }
  const { rerender } = open()
  const signal = await called.promise
  rerender(<Toaster />)
  await act(() => Promise.resolve())
  expect(signal.aborted).toBe(true)
  expect(screen.queryByRole('status')).toBeNull()
})
