import { beforeEach, expect, test } from '@jest/globals'
import { screen, within } from '@testing-library/react'
import { EventDetails } from '../../../pages/event-details.tsx'
import { EventSettings } from '../../../pages/event-settings.tsx'
import { stubApi, eventFixture, renderPage, type StubResponse } from '../../../test/harness.tsx'

const path = `/api/events/${eventFixture._id}`
const EVENT = `GET ${path}`
const UPDATE = `PATCH ${path}`
const page = { path: '/events/:eventId/settings', Page: EventSettings }
const at = `/events/${eventFixture._id}/settings`
const configured = { ...eventFixture, organisers: [eventFixture.eventFor], settings: { maxFiles: 100 } }
const event = (): StubResponse => ({ body: { ...configured, event: configured } })
const uploads = (): StubResponse => ({ body: { uploads: [], total: { files: 3, guests: 1, bytes: 100 } } })
const UPLOADS = `GET /api/admin/uploads/event/${eventFixture._id}`
const notices = () => within(screen.getByRole('region', { name: 'Notifications (F8)' }))

beforeEach(() => sessionStorage.clear())

test('When an admin changes a limit, then it is sent, and the page shows the event as the server has it', async () => {
  const stored = { ...configured, settings: { maxFiles: 200 } }
  const { requestsTo } = stubApi({
    [EVENT]: event,
    [UPLOADS]: uploads,
    [UPDATE]: () => ({ body: { message: 'Event changed successfully', event: stored } }),
  })
  const user = renderPage(at, page)
  const field = await screen.findByLabelText('Files at most')
  expect(await screen.findByText('3 of 100 files')).toBeTruthy()
  await user.clear(field)
  await user.type(field, '200')
  await user.click(screen.getByRole('button', { name: 'Save settings' }))
  await notices().findByText('Settings saved')
  expect(requestsTo(UPDATE).map(({ body }) => body)).toEqual([{ settings: { maxFiles: 200 } }])
  expect(screen.getByText('3 of 200 files')).toBeTruthy()
  expect(requestsTo(EVENT)).toHaveLength(1)
})

test('When an admin invites somebody, withdraws that and removes an organiser, then the calls are for this event', async () => {
  const helper = { _id: '66aa0000000000000000000b', email: 'helper@confetti.test' }
  const both = { ...configured, organisers: [eventFixture.eventFor, helper] }
  const invitation = {
    _id: 'a'.repeat(24),
    email: 'new@confetti.test',
    expiresAt: '2099-01-01T00:00:00.000Z',
  }
  const INVITE = `POST ${path}/organisers`
  const WITHDRAW = `DELETE ${path}/organiser-invitations/${invitation._id}`
  const REMOVE = `DELETE ${path}/organisers/${helper._id}`
  const { requestsTo } = stubApi({
    [EVENT]: () => ({ body: { ...both, event: both } }),
    [UPLOADS]: uploads,
    [INVITE]: () => ({ status: 202, body: { message: 'Invited', invitation } }),
    [WITHDRAW]: () => ({ body: { message: 'Withdrawn', event: both } }),
    [REMOVE]: () => ({ body: { message: 'Removed', event: configured } }),
  })
  const user = renderPage(at, page)
  await user.type(await screen.findByLabelText('Email address of another organiser'), invitation.email)
  await user.click(screen.getByRole('button', { name: 'Invite organiser' }))
  await user.click(
    await screen.findByRole('button', { name: `Withdraw the invitation of ${invitation.email}` }),
  )
  await notices().findByText(`The link for ${invitation.email} no longer works`)
  await user.click(await screen.findByRole('button', { name: `Remove ${helper.email}` }))
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
  await notices().findByText(`${helper.email} is no longer an organiser`)
  expect(requestsTo(INVITE).map(({ body }) => body)).toEqual([{ email: invitation.email }])
  expect(requestsTo(WITHDRAW)).toHaveLength(1)
  expect(requestsTo(REMOVE)).toHaveLength(1)
})

test('When the event does not exist, then the page says so', async () => {
  stubApi({ [EVENT]: () => ({ status: 404, body: { message: 'No.', code: 'event_not_found' } }) })
  renderPage(at, page)
  expect(await screen.findByRole('heading', { name: 'This event does not exist.' })).toBeTruthy()
})

test('When an admin opens an event, then its page links to its settings and to the form to edit it', async () => {
  const details = { ...configured, deleteAt: '2027-07-14T22:00:00.000Z' }
  stubApi({ [EVENT]: () => ({ body: { ...details, event: details } }) })
  renderPage(`/events/${eventFixture._id}`, { path: '/events/:eventId', Page: EventDetails })
  const links = ['Settings', 'Edit'].map((name) => screen.findByRole('link', { name }))
  const addresses = (await Promise.all(links)).map((link) => link.getAttribute('href'))
  expect(addresses).toEqual([at, `/events/${eventFixture._id}/edit`])
  expect(screen.getByText('Deleted on')).toBeTruthy()
})
