import { beforeEach, expect, test } from '@jest/globals'
import { act, screen, waitFor, within } from '@testing-library/react'
import { getFormatLocale } from '@confetti/i18n'
import { Contacts } from '../../pages/contacts.tsx'
import { closeNotices, renderPage, stubApi } from '../../test/harness.tsx'

const CONTACTS = 'GET /api/contact-admin'
const page = { path: '/contacts', Page: Contacts }
const contact = {
  _id: 'message-1',
  subject: 'A second day',
  message: 'Hello,\n\nwe would like Sunday as well.',
  createdAt: '2027-06-12T18:30:00.000Z',
  userEmail: 'organiser@example.test',
}

beforeEach(closeNotices)

test('When there are messages, then each shows subject, time, text and sender', async () => {
  stubApi({ [CONTACTS]: () => ({ body: { messages: [contact] } }) })
  renderPage('/contacts', page)
  await screen.findByText('A second day')
  expect(screen.getByText(/we would like Sunday/).textContent).toBe(contact.message)
  expect(screen.getByText(new Date(contact.createdAt).toLocaleString(getFormatLocale()))).toBeTruthy()
  const sender = screen.getByRole<HTMLAnchorElement>('link', { name: contact.userEmail })
  expect(sender.parentElement?.textContent).toBe('From organiser@example.test')
  expect(sender.href).toBe('mailto:organiser@example.test?subject=Re%3A%20A%20second%20day')
})

test('When there are no messages, then the page says so, and what to do next', async () => {
  stubApi({ [CONTACTS]: () => ({ body: { messages: [] } }) })
  renderPage('/contacts', page)
  await screen.findByText('No contact messages found.')
  expect(screen.getByRole('link', { name: 'Create an event' }).getAttribute('href')).toBe('/events/create')
})

test('When loading fails, then a toast says so once, and Retry loads the messages and keeps the focus', async () => {
  let isDown = true
  const { requestsTo } = stubApi({
    [CONTACTS]: () => {
      if (isDown) throw new TypeError('Failed to fetch')
      return { body: { messages: [contact] } }
    },
  })
  const user = renderPage('/contacts', page)
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getByRole('alert').textContent).toContain('ErrorFailed to fetch contact messages.')
  expect(requestsTo(CONTACTS)).toHaveLength(1)
  isDown = false
  await user.click(retry)
  await screen.findByText('A second day')
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Messages' }))
})

test('When there are more messages, then Load more shows them, focuses the first of them, and keeps the focus if it fails', async () => {
  const messages = ['1', '2', '3'].map((n) => ({ ...contact, _id: n, subject: `Subject ${n}` }))
  let isDown = true
  const { requestsTo } = stubApi({
    [CONTACTS]: (_, query) => {
      if (query.get('after') !== 'cursor')
        return { body: { messages: messages.slice(0, 2), nextCursor: 'cursor' } }
      if (isDown) throw new TypeError('Failed to fetch')
      return { body: { messages: messages.slice(2) } }
    },
  })
  const user = renderPage('/contacts', page)
  const loadMore = await screen.findByRole('button', { name: 'Load more' })
  await user.click(loadMore)
  await screen.findByText('Failed to fetch contact messages.')
  expect(screen.getByText('Subject 1')).toBeTruthy()
  expect(document.activeElement).toBe(loadMore)

  isDown = false
  await user.click(loadMore)
  const third = await screen.findByRole('heading', { name: 'Subject 3' })
  expect(document.activeElement).toBe(third)
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  expect(requestsTo(CONTACTS)).toHaveLength(3)
})

test('When the page is left before the messages arrive, then the request is aborted without a notice', async () => {
  const response = Promise.withResolvers<{ body: unknown }>()
  const { calls } = stubApi({ [CONTACTS]: () => response.promise })
  renderPage('/contacts', page)
  await waitFor(() => expect(calls).toHaveLength(1))
  act(() => {
    history.pushState(null, '', '/events')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  expect(screen.getByText('Another page')).toBeTruthy()
  expect(calls[0]?.signal?.aborted).toBe(true)
  response.reject(new TypeError('Failed to fetch'))
  await act(() => Promise.resolve())
  expect(screen.getByRole('alert').textContent).toBe('')
})

const DELETION = `DELETE /api/contacts/${contact._id}`
const REPLIES = `POST /api/contacts/${contact._id}/replies`
const reply = {
  _id: 'reply-1',
  message: 'Of course.\nIt is set up.',
  createdAt: '2027-06-13T08:00:00.000Z',
  adminEmail: 'admin@confetti.test',
}

test('When a message has replies, then they are shown in order, with their authors', async () => {
  const replies = [reply, { ...reply, _id: 'reply-2', message: 'Anything else?' }]
  stubApi({ [CONTACTS]: () => ({ body: { messages: [{ ...contact, replies }] } }) })
  renderPage('/contacts', page)
  const list = await screen.findByRole('list', { name: 'Replies' })
  const [first, second] = within(list).getAllByRole('listitem')
  expect(first?.textContent).toContain('admin@confetti.test')
  expect(first?.textContent).toContain(reply.message)
  expect(second?.textContent).toContain('Anything else?')
})

test.each([200, 404])(
  'When an admin deletes a message, and the answer is %i, then it leaves the list',
  async (status) => {
    const { requestsTo } = stubApi({
      [CONTACTS]: () => ({
        body: { messages: [contact, { ...contact, _id: 'message-2', subject: 'Another' }] },
      }),
      [DELETION]: () => ({
        status,
        body: { message: 'Message deleted successfully', code: 'contact_not_found' },
      }),
    })
    const user = renderPage('/contacts', page)
    await screen.findByText('A second day')
    const card = within(screen.getAllByRole('listitem')[0] ?? document.body)
    await user.click(card.getByRole('button', { name: 'Delete' }))
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Cancel' }))
    expect(requestsTo(DELETION)).toHaveLength(0)

    await user.click(card.getByRole('button', { name: 'Delete' }))
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    await screen.findByText('Message deleted')
    expect(requestsTo(DELETION)).toHaveLength(1)
    expect(screen.queryByText('A second day')).toBeNull()
    expect(screen.getByText('Another')).toBeTruthy()
  },
)

test('When a message cannot be deleted, then it stays, and a notice says why', async () => {
  stubApi({
    [CONTACTS]: () => ({ body: { messages: [contact] } }),
    [DELETION]: () => ({ status: 503, body: { message: 'Please try again later.', code: 'unavailable' } }),
  })
  const user = renderPage('/contacts', page)
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.getByText('A second day')).toBeTruthy()
  expect(screen.getByRole('alert').textContent).not.toBe('')
})

const SETTINGS = 'GET /api/auth/settings'
const withMail = (mail: 'on' | 'off') => ({
  [SETTINGS]: () => ({ body: { registration: 'open', mail } }),
})

test.each([
  ['on', 'organiser@example.test gets it by mail.'],
  ['off', 'Mail is off: the reply is only stored here. Write to organiser@example.test yourself.'],
] as const)(
  'When mail is %s, then the form and the notice say how the reply is delivered',
  async (mail, text) => {
    stubApi({
      ...withMail(mail),
      [CONTACTS]: () => ({ body: { messages: [contact] } }),
      [REPLIES]: () => ({
        status: 201,
        body: { message: 'Your reply has been saved.', contact: { ...contact, replies: [reply] } },
      }),
    })
    const user = renderPage('/contacts', page)
    await user.click(await screen.findByRole('button', { name: 'Reply' }))
    await screen.findByText(text)
    await user.type(screen.getByRole('textbox', { name: 'Reply' }), 'Of course.')
    await user.click(screen.getByRole('button', { name: 'Send Reply' }))
    await screen.findByText('Reply saved')
    expect(screen.getByText(text)).toBeTruthy()
  },
)

test('When the mail setting fails to load, then the form promises no mail', async () => {
  const { requestsTo } = stubApi({ [CONTACTS]: () => ({ body: { messages: [contact] } }) })
  const user = renderPage('/contacts', page)
  await user.click(await screen.findByRole('button', { name: 'Reply' }))
  await waitFor(() => expect(requestsTo(SETTINGS)).toHaveLength(1))
  expect(screen.queryByText(/by mail/)).toBeNull()
})

test('When a reply is of an erased account, then the thread says so', async () => {
  const replies = [{ ...reply, adminEmail: '' }]
  stubApi({ [CONTACTS]: () => ({ body: { messages: [{ ...contact, replies }] } }) })
  renderPage('/contacts', page)
  const list = await screen.findByRole('list', { name: 'Replies' })
  expect(list.textContent).toContain('Erased account')
})

test('When an admin replies, then the reply is sent once, shown in the thread, and the focus stays at the message', async () => {
  const { requestsTo } = stubApi({
    [CONTACTS]: () => ({ body: { messages: [contact] } }),
    [REPLIES]: () => ({
      status: 201,
      body: { message: 'Your reply has been saved.', contact: { ...contact, replies: [reply] } },
    }),
  })
  const user = renderPage('/contacts', page)
  await user.click(await screen.findByRole('button', { name: 'Reply' }))
  const field = screen.getByRole('textbox', { name: 'Reply' })
  expect(document.activeElement).toBe(field)
  await user.click(screen.getByRole('button', { name: 'Send Reply' }))
  expect(screen.getByText('Enter a reply.')).toBeTruthy()
  expect(requestsTo(REPLIES)).toHaveLength(0)

  await user.type(field, 'Of course.{Enter}It is set up.')
  await user.click(screen.getByRole('button', { name: 'Send Reply' }))
  await screen.findByText('Reply saved')
  expect(requestsTo(REPLIES).map(({ body }) => body)).toEqual([{ message: reply.message }])
  expect(screen.getByRole('list', { name: 'Replies' }).textContent).toContain('It is set up.')
  expect(screen.queryByRole('textbox', { name: 'Reply' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Reply to A second day' }))
})

test('When a message is answered while more messages are loading, then what was asked for before does not undo it', async () => {
  const before = Promise.withResolvers<{ body: unknown }>()
  const answered = { ...contact, replies: [reply] }
  let isAnswered = false
  stubApi({
    [CONTACTS]: (_, query) =>
      query.get('after') === 'cursor'
        ? before.promise
        : { body: { messages: [isAnswered ? answered : contact], nextCursor: 'cursor' } },
    [REPLIES]: () => {
      isAnswered = true
      return { status: 201, body: { message: 'Your reply has been saved.', contact: answered } }
    },
  })
  const user = renderPage('/contacts', page)
  await user.click(await screen.findByRole('button', { name: 'Reply' }))
  await user.type(screen.getByRole('textbox', { name: 'Reply' }), 'Of course.')
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  await user.click(screen.getByRole('button', { name: 'Send Reply' }))
  await screen.findByText('Reply saved')
  await act(async () => {
    before.resolve({ body: { messages: [{ ...contact, _id: 'message-2', subject: 'Another' }] } })
    await new Promise((resolve) => setTimeout(resolve))
  })
  expect(screen.getByRole('list', { name: 'Replies' })).toBeTruthy()
})

test('When a reply cannot be sent, then a toast says why, and the text stays', async () => {
  stubApi({
    [CONTACTS]: () => ({ body: { messages: [contact] } }),
    [REPLIES]: () => ({
      status: 409,
      body: { message: 'This message has 50 replies already.', code: 'too_many_replies', requestId: 'r1' },
    }),
  })
  const user = renderPage('/contacts', page)
  await user.click(await screen.findByRole('button', { name: 'Reply' }))
  await user.type(screen.getByRole('textbox', { name: 'Reply' }), 'One more')
  await user.click(screen.getByRole('button', { name: 'Send Reply' }))
  await screen.findByText('This message has 50 replies already.')
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Reply' }).value).toBe('One more')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.getByRole('button', { name: 'Reply' })).toBeTruthy()
})
