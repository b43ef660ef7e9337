import { beforeEach, expect, test } from '@jest/globals'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Account } from '@confetti/contracts'
import { Users } from '../../pages/users.tsx'
import { closeNotices, renderPage, stubApi, type StubResponse } from '../../test/harness.tsx'

const LIST = 'GET /api/admin/users'
const SETTINGS = 'GET /api/auth/settings'
const INVITE = 'POST /api/admin/users'
const page = { path: '/admin/users', Page: Users }

const account = (name: string, more: Partial<Account> = {}): Account => ({
  _id: name,
  email: `${name}@example.test`,
  role: 'user',
  active: true,
  createdAt: '2027-05-01T10:00:00.000Z',
  lastSignInAt: '2027-06-01T10:00:00.000Z',
  ...more,
})
const listOf = (...users: Account[]) => ({ [LIST]: (): StubResponse => ({ body: { users } }) })
const changed = (user: Account) => (): StubResponse => ({ body: { message: 'Account changed.', user } })

const cardOf = async (name: string) => {
  const heading = await screen.findByRole('heading', { name: `${name}@example.test` })
  return within(heading.closest('li') as HTMLElement)
}

/** Chooses an action of an account: of its card, or of the menu there. */
const choose = async (user: ReturnType<typeof renderPage>, name: string, action: string): Promise<void> => {
  const card = await cardOf(name)
  if (action === 'Erase') await user.click(card.getByRole('button', { name: /^More for/ }))
  await user.click((action === 'Erase' ? screen : card).getByRole('button', { name: action }))
}

/** Types at once, faster than any search begins. */
const search = (...texts: string[]): void => {
  for (const value of texts) fireEvent.change(screen.getByLabelText('Search by email'), { target: { value } })
}

beforeEach(closeNotices)

test('When there are accounts, then each shows its role, its state, and what can be done with it', async () => {
  stubApi(
    listOf(
      account('u1', { role: 'admin' }),
      account('anna', { invitedAt: '2027-05-02T10:00:00.000Z' }),
      account('ben', { active: false }),
    ),
  )
  renderPage('/admin/users', page)
  const own = await cardOf('u1')
  expect([own.getByText('Admin'), own.getByText('You')]).toHaveLength(2)
  const actions = (card: Awaited<ReturnType<typeof cardOf>>) =>
    card.getAllByRole('button').map((button) => button.textContent || button.getAttribute('aria-label'))
  expect(actions(own)).toEqual(['Make organiser', 'Deactivate', 'Reset password', 'More for u1@example.test'])
  const invited = await cardOf('anna')
  expect(invited.getByText('Invited')).toBeTruthy()
  expect(actions(invited)).toEqual(['Invite again', 'Make admin', 'Deactivate', 'More for anna@example.test'])
  const inactive = await cardOf('ben')
  expect(inactive.getByText('Deactivated')).toBeTruthy()
  expect(actions(inactive)).toEqual(['Make admin', 'Activate', 'More for ben@example.test'])
})

test('When an organiser is made an admin, then the card shows it, with a notice', async () => {
  const { requestsTo } = stubApi({
    ...listOf(account('anna')),
    'PATCH /api/admin/users/anna': changed(account('anna', { role: 'admin' })),
  })
  const user = renderPage('/admin/users', page)
  await user.click((await cardOf('anna')).getByRole('button', { name: 'Make admin' }))
  const dialog = within(screen.getByRole('alertdialog', { name: 'Make this account an admin?' }))
  expect(dialog.getByText(/^anna@example\.test will be able to/)).toBeTruthy()
  expect(requestsTo('PATCH /api/admin/users/anna')).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Make admin' }))
  expect(await (await cardOf('anna')).findByRole('button', { name: 'Make organiser' })).toBeTruthy()
  expect(screen.getByText('anna@example.test is an admin now')).toBeTruthy()
  expect(requestsTo('PATCH /api/admin/users/anna').map(({ body }) => body)).toEqual([{ role: 'admin' }])
})

test('When a deactivation is confirmed, then the card shows it; when it is cancelled, then nothing is sent', async () => {
  const { requestsTo } = stubApi({
    ...listOf(account('anna')),
    'PATCH /api/admin/users/anna': changed(account('anna', { active: false })),
  })
  const user = renderPage('/admin/users', page)
  const deactivate = (await cardOf('anna')).getByRole('button', { name: 'Deactivate' })
  await user.click(deactivate)
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(requestsTo('PATCH /api/admin/users/anna')).toEqual([])
  expect(document.activeElement).toBe(deactivate)
  await user.click(deactivate)
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Deactivate' }))
  expect(await (await cardOf('anna')).findByText('Deactivated')).toBeTruthy()
})

test('When the last admin is demoted, then a notice has the message of the server, and nothing changes', async () => {
  const message = 'This is the last active admin. Please make somebody else an admin first.'
  stubApi({
    ...listOf(account('u1', { role: 'admin' })),
    'PATCH /api/admin/users/u1': () => ({
      status: 409,
      body: { message, code: 'last_admin', requestId: 'r' },
    }),
  })
  const user = renderPage('/admin/users', page)
  await user.click((await cardOf('u1')).getByRole('button', { name: 'Make organiser' }))
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Make organiser' }))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(message))
  expect((await cardOf('u1')).getByText('Admin')).toBeTruthy()
})

test.each(['Make organiser', 'Deactivate', 'Erase'])(
  'When admins choose %s for their own account, then the dialog says that they lose access',
  async (name) => {
    stubApi(listOf(account('u1', { role: 'admin' }), account('ben', { role: 'admin' })))
    const user = renderPage('/admin/users', page)
    const text = /^You will lose access/
    await choose(user, 'u1', name)
    expect(within(screen.getByRole('alertdialog')).getByText(text)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await choose(user, 'ben', name)
    expect(within(screen.getByRole('alertdialog')).queryByText(text)).toBeNull()
    expect(within(screen.getByRole('alertdialog')).getByText(/^ben@example\.test/)).toBeTruthy()
  },
)

test('When an account is erased, then it leaves the list, and the list has the focus', async () => {
  stubApi({
    ...listOf(account('anna'), account('ben')),
    'DELETE /api/admin/users/anna': () => ({ body: { message: 'Account erased.' } }),
  })
  const user = renderPage('/admin/users', page)
  expect((await cardOf('anna')).queryByRole('button', { name: 'Erase' })).toBeNull()
  await choose(user, 'anna', 'Erase')
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Erase' }))
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'anna@example.test' })).toBeNull())
  expect(screen.getByRole('heading', { name: 'ben@example.test' })).toBeTruthy()
  expect(screen.getByText('anna@example.test has been erased')).toBeTruthy()
})

const invited = account('anna', { invitedAt: '2027-05-02T10:00:00.000Z' })
const fillInvitation = async (user: ReturnType<typeof renderPage>): Promise<void> => {
  await user.type(await screen.findByLabelText('Email'), invited.email)
  await user.selectOptions(screen.getByLabelText('Role'), 'Admin')
  await user.click(screen.getByRole('button', { name: 'Invite' }))
}

test('When somebody is invited by mail, then a notice says so, and the list is loaded again', async () => {
  const { requestsTo } = stubApi({
    ...listOf(),
    [INVITE]: () => ({ status: 201, body: { message: 'Invitation sent.', user: invited } }),
  })
  const user = renderPage('/admin/users', page)
  await screen.findByText('No users found.')
  await fillInvitation(user)
  expect(await screen.findByText('Invitation sent.')).toBeTruthy()
  expect(requestsTo(INVITE).map(({ body }) => body)).toEqual([{ email: invited.email, role: 'admin' }])
  await waitFor(() => expect(requestsTo(LIST)).toHaveLength(2))
  expect(screen.queryByRole('group', { name: 'Link to pass on' })).toBeNull()
})

test.each([
  ['on', 0],
  ['off', 1],
] as const)(
  'When mail is %s, then the page says whether links are passed on by hand',
  async (mail, notes) => {
    const { requestsTo } = stubApi({
      ...listOf(account('anna')),
      [SETTINGS]: () => ({ body: { registration: 'open', mail } }),
    })
    renderPage('/admin/users', page)
    await cardOf('anna')
    await waitFor(() => expect(requestsTo(SETTINGS)).toHaveLength(1))
    await waitFor(() => expect(screen.queryAllByText(/^Mail is off on this site\./)).toHaveLength(notes))
  },
)

test('When the system sends no mail, then the link of the invitation is shown to copy', async () => {
  const invitationUrl = 'http://confetti.test/accept-invitation#token=abc'
  stubApi({
    ...listOf(),
    [INVITE]: () => ({ status: 201, body: { message: 'Account created.', user: invited, invitationUrl } }),
  })
  const user = renderPage('/admin/users', page)
  await fillInvitation(user)
  const link = within(await screen.findByRole('group', { name: 'Link to pass on' }))
  expect(link.getByText(invitationUrl)).toBeTruthy()
  await user.click(link.getByRole('button', { name: 'Copy link' }))
  expect(await navigator.clipboard.readText()).toBe(invitationUrl)
})

test('When a password is reset where no mail is sent, then the link is shown and has the focus', async () => {
  const resetUrl = 'http://confetti.test/reset-password#token=abc'
  stubApi({
    ...listOf(account('anna')),
    'POST /api/admin/users/anna/password-reset': () => ({
      status: 201,
      body: { message: 'Link created.', resetUrl },
    }),
  })
  const user = renderPage('/admin/users', page)
  await user.click((await cardOf('anna')).getByRole('button', { name: 'Reset password' }))
  const link = await screen.findByRole('group', { name: 'Link to pass on' })
  expect(within(link).getByText(resetUrl)).toBeTruthy()
  expect(document.activeElement).toBe(link)
})

test('When the address is taken, then its field says so and has the focus', async () => {
  const message = 'An account with this email already exists.'
  stubApi({
    ...listOf(),
    [INVITE]: () => ({
      status: 409,
      body: { message, code: 'email_taken', requestId: 'r', details: [{ field: 'email', message }] },
    }),
  })
  const user = renderPage('/admin/users', page)
  await fillInvitation(user)
  expect(await screen.findByText(message, { selector: 'p' })).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Email'))
})

test('When the list is searched, then only the last text is requested', async () => {
  const { requestsTo } = stubApi({
    [LIST]: (_, query) => ({
      body: {
        users: [account('anna'), account('ben')].filter(({ email }) =>
          email.includes(query.get('search') ?? ''),
        ),
      },
    }),
  })
  renderPage('/admin/users', page)
  await cardOf('ben')
  search(' A', ' AN', ' ANNA ')
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'ben@example.test' })).toBeNull())
  expect(screen.getByRole('heading', { name: 'anna@example.test' })).toBeTruthy()
  expect(screen.getByText('1 result').getAttribute('role')).toBe('status')
  expect(requestsTo(LIST)).toHaveLength(2)
})

test('When an account is changed while a search is under way, then the answer from before does not undo it', async () => {
  const before = Promise.withResolvers<StubResponse>()
  let searches = 0
  stubApi({
    [LIST]: (_, query) => {
      if (!query.get('search')) return { body: { users: [account('anna')] } }
      searches += 1
      return searches === 1 ? before.promise : { body: { users: [account('anna', { active: false })] } }
    },
    'PATCH /api/admin/users/anna': changed(account('anna', { active: false })),
  })
  const user = renderPage('/admin/users', page)
  await cardOf('anna')
  search('anna')
  await waitFor(() => expect(searches).toBe(1))
  await user.click((await cardOf('anna')).getByRole('button', { name: 'Deactivate' }))
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Deactivate' }))
  await screen.findByText('anna@example.test can no longer sign in')
  before.resolve({ body: { users: [account('anna')] } })
  expect(await (await cardOf('anna')).findByText('Deactivated')).toBeTruthy()
})

test('When the search has characters that no address has, then the page says that there are none', async () => {
  const { requestsTo } = stubApi(listOf(account('anna')))
  renderPage('/admin/users', page)
  await cardOf('anna')
  search('(?)')
  await screen.findByText('No users found.')
  expect(requestsTo(LIST)).toHaveLength(1)
})

test('When there are more accounts, then Load more shows them and focuses the first of them', async () => {
  stubApi({
    [LIST]: (_, query) =>
      query.get('after') === 'cursor'
        ? { body: { users: [account('ben')] } }
        : { body: { users: [account('anna')], nextCursor: 'cursor' } },
  })
  const user = renderPage('/admin/users', page)
  await user.click(await screen.findByRole('button', { name: 'Load more' }))
  const heading = await screen.findByRole('heading', { name: 'ben@example.test' })
  expect(document.activeElement).toBe(heading)
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
})

test('When loading fails, then a toast says so, and Retry loads the accounts', async () => {
  let isDown = true
  stubApi({
    [LIST]: () => {
      if (isDown) throw new TypeError('Failed to fetch')
      return { body: { users: [account('anna')] } }
    },
  })
  const user = renderPage('/admin/users', page)
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getByRole('alert').textContent).toContain('Failed to fetch users.')
  isDown = false
  await user.click(retry)
  await cardOf('anna')
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Accounts' }))
})
