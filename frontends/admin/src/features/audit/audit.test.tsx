import { beforeEach, expect, test } from '@jest/globals'
import { screen, waitFor, within } from '@testing-library/react'
import type { AuditEntry } from '@confetti/contracts'
import { getFormatLocale, setLocale } from '@confetti/i18n'
import { formatDay } from '@confetti/ui/day'
import { Audit } from '../../pages/audit.tsx'
import { closeNotices, eventFixture, renderPage, stubApi } from '../../test/harness.tsx'
import { toCsv } from './export-button.tsx'
import { readFilter, toApiQuery, writeFilter } from './audit-filter.ts'
import { actorOf, detailLines, labelOf } from './audit-text.ts'

const LIST = 'GET /api/admin/audit'
const page = { path: '/admin/audit', Page: Audit }
const eventId = 'a'.repeat(24)

const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  _id: '1',
  at: '2027-05-01T10:00:00.000Z',
  action: 'event.changed',
  actor: { _id: 'u1', email: 'anna@example.test' },
  subject: { type: 'event', id: eventId },
  eventId,
  address: '192.0.2.1',
  details: { name: { from: 'Party', to: 'Wedding' }, welcome: { from: null, to: 'Hello' } },
  ...more,
})

beforeEach(closeNotices)

test('When something was changed, then the log says who did it, from where, and what it was before', async () => {
  stubApi({ [LIST]: () => ({ body: { entries: [entry()] } }) })
  renderPage('/admin/audit', page)
  const heading = await screen.findByRole('heading', { name: 'Event changed' })
  const card = within(heading.closest('li') as HTMLElement)
  expect(card.getByText('By anna@example.test from 192.0.2.1')).toBeTruthy()
  expect(card.getByText('Name: Party → Wedding')).toBeTruthy()
  expect(card.getByText('Welcome text: none → Hello')).toBeTruthy()
})

test('When an event was changed or an upload deleted, then the entry links to the event; a deleted event has no link', async () => {
  const entries = [
    entry(),
    entry({ _id: '2', action: 'upload.deleted', subject: { type: 'upload', id: 'u'.repeat(24) } }),
    entry({ _id: '3', action: 'event.deleted' }),
  ]
  stubApi({ [LIST]: () => ({ body: { entries } }) })
  renderPage('/admin/audit', page)
  await screen.findByRole('heading', { name: 'Event deleted' })
  const links = screen.getAllByRole('link', { name: eventId })
  expect(links.map((link) => link.getAttribute('href'))).toEqual([`/events/${eventId}`, `/events/${eventId}`])
  expect(screen.getByText(/^upload u{24}, event/)).toBeTruthy()
})

test('When a filter is chosen, then the request has it, and an event id that is none is refused', async () => {
  const queries: URLSearchParams[] = []
  stubApi({
    [LIST]: (_, query) => {
      queries.push(query)
      return { body: { entries: [] } }
    },
  })
  const user = renderPage('/admin/audit', page)
  await screen.findByText('No entries found.')
  await user.type(screen.getByLabelText('Event'), 'nonsense')
  await user.click(screen.getByRole('button', { name: 'Apply filters' }))
  expect(screen.getByText('Choose an event from the list, or enter its id.')).toBeTruthy()
  expect(queries).toHaveLength(1)
  await user.clear(screen.getByLabelText('Event'))
  await user.type(screen.getByLabelText('Person'), ' Anna@Example.test ')
  await user.selectOptions(screen.getByLabelText('Action'), 'Upload deleted')
  await user.click(screen.getByRole('button', { name: 'Apply filters' }))
  await waitFor(() => expect(queries).toHaveLength(2))
  expect([queries[1]?.get('actor'), queries[1]?.get('action')]).toEqual([
    'anna@example.test',
    'upload.deleted',
  ])
  expect((await screen.findByText('0 results')).getAttribute('role')).toBe('status')
})

test('When events are known, then the log has their names, and the filter finds an event by its name', async () => {
  const queries: URLSearchParams[] = []
  const event = { ...eventFixture, _id: eventId }
  const other = { ...eventFixture, name: 'Garden party' }
  stubApi({
    [LIST]: (_, query) => {
      queries.push(query)
      return { body: { entries: [entry()] } }
    },
    'GET /api/events/active': () => ({ body: { events: [event] } }),
    'GET /api/events/upcoming': () => ({ body: { events: [other] } }),
    'GET /api/events/past': () => ({ body: { events: [] } }),
  })
  const user = renderPage('/admin/audit', page)
  const link = await screen.findByRole('link', { name: 'Garden wedding' })
  expect(link.getAttribute('href')).toBe(`/events/${eventId}`)
  const filterBy = async (text: string): Promise<void> => {
    await user.clear(screen.getByLabelText('Event'))
    await user.type(screen.getByLabelText('Event'), text)
    await user.click(screen.getByRole('button', { name: 'Apply filters' }))
  }
  // Two events have this in their names.
  await filterBy('garden')
  expect(screen.getByText('Choose an event from the list, or enter its id.')).toBeTruthy()
  await filterBy('WEDD')
  await waitFor(() => expect(queries.at(-1)?.get('eventId')).toBe(eventId))
  expect(screen.getByLabelText<HTMLInputElement>('Event').value).toBe('Garden wedding 2027-06-12')
  await filterBy('Garden party 2027-06-12')
  await waitFor(() => expect(queries.at(-1)?.get('eventId')).toBe(eventFixture._id))
})

test('When the log cannot be loaded, then Retry loads it', async () => {
  let isBroken = true
  stubApi({
    [LIST]: () =>
      isBroken
        ? { status: 500, body: { message: 'x', code: 'internal', requestId: '1' } }
        : { body: { entries: [entry()] } },
  })
  const user = renderPage('/admin/audit', page)
  const retry = await screen.findByRole('button', { name: 'Retry' })
  isBroken = false
  await user.click(retry)
  expect(await screen.findByRole('heading', { name: 'Event changed' })).toBeTruthy()
})

test('A filter has the whole days of the browser, and what makes no sense in the address is left out', () => {
  const filter = readFilter(
    new URLSearchParams({
      from: '2027-05-01',
      to: '2027-05-31',
      action: 'event.exploded',
      actor: 'A@B.test',
    }),
  )
  expect(writeFilter(filter)).toEqual({ actor: 'a@b.test', from: '2027-05-01', to: '2027-05-31' })
  expect(toApiQuery(filter)).toMatchObject({
    from: new Date(2027, 4, 1).toISOString(),
    to: new Date(2027, 5, 1).toISOString(),
  })
  expect(readFilter(new URLSearchParams({ from: 'yesterday', to: '2027-99-99' }))).toMatchObject({
    from: '',
    to: '',
  })
})

test('Actors without an address are the system and erased accounts; unknown actions are shown as they are', () => {
  expect(actorOf({ actor: { _id: 'system', email: '' } })).toBe('System')
  expect(actorOf({ actor: { _id: 'u1', email: '' } })).toBe('Erased account')
  expect(labelOf('event.moved')).toBe('event.moved')
  expect(detailLines({ details: { more: ['x'.repeat(500)] } })[0]?.length).toBeLessThan(250)
})

test('Sizes and times are formatted on the page, and exact in the export', () => {
  const closesAt = '2027-06-20T10:00:00.000Z'
  const limits = entry({
    details: {
      maxFiles: { from: null, to: 500 },
      maxBytes: { from: 2_147_483_648, to: 2_684_354_560 },
      uploadsCloseAt: { from: null, to: closesAt },
      revealAt: { from: closesAt, to: null },
      startDate: { from: '2027-06-12', to: '2027-06-13' },
    },
  })
  expect(detailLines(limits)).toEqual([
    'File limit: none → 500',
    'Storage limit: 2 GB → 2.5 GB',
    `Uploads close: none → ${new Date(closesAt).toLocaleString(getFormatLocale())}`,
    `Gallery opens: ${new Date(closesAt).toLocaleString(getFormatLocale())} → none`,
    `Start date: ${formatDay('2027-06-12')} → ${formatDay('2027-06-13')}`,
  ])
  expect(toCsv([limits])).toContain(
    `File limit: none → 500\nStorage limit: 2147483648 → 2684354560\nUploads close: none → ${closesAt}\nGallery opens: ${closesAt} → none\nStart date: 2027-06-12 → 2027-06-13`,
  )
})

test('Fields and their values are named as on the pages, and values are exact in the export', async () => {
  const changes = entry({
    details: {
      visibility: { from: 'pending', to: 'hidden' },
      moderation: { from: 'off', to: 'approve' },
      role: { from: 'user', to: 'admin' },
      'name (de)': { from: null, to: 'Hochzeit' },
    },
  })
  expect(detailLines(changes)).toEqual([
    'Visibility: Waiting for approval → Hidden',
    'Moderation: Show at once → Approve first',
    'Role: Organiser → Admin',
    'Name (de): none → Hochzeit',
  ])
  expect(toCsv([changes])).toContain('Visibility: pending → hidden')
  await setLocale('de')
  try {
    expect(detailLines(changes)[0]).toBe('Sichtbarkeit: Wartet auf Freigabe → Ausgeblendet')
  } finally {
    await setLocale('en')
  }
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])(
  'When a value is %j, then the exported cell is no formula',
  (email) => {
    const csv = toCsv([entry({ actor: { _id: 'u1', email } })])
    expect(csv).toContain(`"'${email}"`)
  },
)

test('An export has a header, a line for each entry, and doubles quotes', () => {
  const csv = toCsv([entry({ details: { name: { from: 'The "party"', to: 'x,y' } } })])
  expect(csv.startsWith('\uFEFF"time","action","actor"')).toBe(true)
  expect(csv).toContain('"Name: The ""party"" → x,y"')
  expect(csv.endsWith('\r\n')).toBe(true)
})
