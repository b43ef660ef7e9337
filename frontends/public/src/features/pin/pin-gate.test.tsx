import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { cleanup, screen, waitFor } from '@testing-library/react'
import type { ComponentType } from 'react'
import { eventPasses } from '@confetti/api-client'
import { loadCatalogues } from '@confetti/i18n'
import { api } from '@confetti/session'
import { galleryCatalogue } from '../../gallery-texts.ts'
import { Gallery } from '../../pages/gallery.tsx'
import { Mine } from '../../pages/mine.tsx'
import { loadPrivacy } from '../../pages/privacy.tsx'
import { Upload } from '../../pages/upload.tsx'
import { closeToasts, renderPage, stubApi } from '../../test/harness.tsx'

await loadCatalogues([galleryCatalogue])
const Privacy = await loadPrivacy()

const PIN = 'Tulip42'
const OWN_KEY = 'o'.repeat(43)

let eventNumber = 0
let eventId: string
/** The key of the event's links. */
let linkKey: string
/** The pass that the server gives. It accepts 'pass-1'. */
let issued: string
/** Whether the server is not reached. */
let isOffline: boolean
/** The answer to a PIN or key that is wrong. */
let rejection: { status: number; headers?: Record<string, string>; body: object }

const event = () => ({
  _id: eventId,
  name: 'Garden wedding',
  startDate: '2027-06-12',
  endDate: '2027-06-13',
  uploadsOpen: true,
  uploadsCloseAt: '2027-07-15T00:00:00.000Z',
  timeZone: 'Europe/Vienna',
  limits: { maxFileBytes: 1_048_576, types: ['image/jpeg'] },
  gallery: 'on',
})

beforeEach(() => {
  eventNumber += 1
  eventId = eventNumber.toString(16).padStart(24, '0')
  linkKey = `key-${eventNumber}`
  issued = 'pass-1'
  isOffline = false
  rejection = { status: 400, body: { code: 'pin_wrong', message: 'This PIN is wrong.' } }
  window.scrollTo = () => undefined
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { value: 900, configurable: true })
})
afterEach(() => {
  cleanup()
  closeToasts()
})

const passesCall = () => `POST /api/events/${eventId}/passes`

/** Opens a page of the event on a server that demands a pass for it. */
const open = (at: string, Page: ComponentType = Upload) => {
  const { calls, requestsTo } = stubApi({
    ...Object.fromEntries(
      Object.entries({
        [`GET /api/events/${eventId}`]: { ...event(), event: event() },
        [`GET /api/events/${eventId}/gallery`]: { uploads: [], total: { files: 0, guests: 0 } },
        'GET /api/guest/uploads': { uploads: [] },
      }).map(([call, body]) => [
        call,
        () =>
          calls.at(-1)?.pass === 'pass-1'
            ? { body }
            : {
                status: 404,
                body: {
                  code: 'pin_required',
                  message: 'Please enter the PIN.',
                  details: { name: 'Garden wedding' },
                },
              },
      ]),
    ),
    'GET /api/guest/links': () => ({ body: { eventId } }),
    [passesCall()]: (body) => {
      if (isOffline) throw new TypeError('Failed to fetch')
      const { pin, key } = body as { pin?: string; key?: string }
      return pin === PIN || key === linkKey
        ? { status: 201, body: { pass: issued, expiresAt: '2099-01-01T00:00:00.000Z' } }
        : rejection
    },
  })
  return { user: renderPage(at, Page), proofs: () => requestsTo(passesCall()).map(({ body }) => body) }
}
const findField = () => screen.findByLabelText<HTMLInputElement>('PIN')
const errorOf = (field: HTMLElement): string | undefined =>
  field.hasAttribute('aria-invalid')
    ? (document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent ?? undefined)
    : undefined

test.each<[string, () => string, ComponentType, () => Promise<unknown>]>([
  ['upload page', () => `/upload?eventId=${eventId}`, Upload, () => screen.findByText('Upload')],
  ['gallery', () => `/gallery?eventId=${eventId}`, Gallery, () => screen.findByText('Send photos')],
  [
    'page about privacy',
    () => `/privacy?eventId=${eventId}`,
    Privacy,
    () => screen.findByText('What is kept'),
  ],
  ['page of an own link', () => `/mine#${OWN_KEY}`, Mine, () => screen.findByText('Send photos')],
])(
  'When a guest opens the %s of an event with a PIN, then they see it once they have entered the PIN',
  async (_, at, Page, findContent) => {
    const { user, proofs } = open(at(), Page)
    const field = await findField()
    expect(document.activeElement).toBe(field)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Garden wedding')
    await user.type(field, ` ${PIN}{Enter}`)
    await findContent()
    expect(proofs()).toEqual([{ pin: PIN }])
    expect(screen.queryByLabelText('PIN')).toBeNull()
    // For those who use the keyboard.
    expect(document.activeElement).not.toBe(document.body)
  },
)

test('When the PIN is missing or wrong, then the field says so and keeps the focus, until it changes', async () => {
  const { user, proofs } = open(`/upload?eventId=${eventId}`)
  const field = await findField()
  await user.click(screen.getByRole('button', { name: 'Open event' }))
  expect(errorOf(field)).toBe('Please enter the PIN.')
  expect(proofs()).toEqual([])
  await user.type(field, 'Rose{Enter}')
  await waitFor(() => expect(errorOf(field)).toBe('This PIN is wrong.'))
  expect(document.activeElement).toBe(field)
  await user.type(field, 's')
  expect(errorOf(field)).toBeUndefined()
})

test('When a guest has tried too often, then the page says until when to wait', async () => {
  const body = { code: 'too_many_requests', message: 'Too many requests.' }
  rejection = { status: 429, headers: { 'Retry-After': '540' }, body }
  const before = Date.now()
  const { user } = open(`/upload?eventId=${eventId}`)
  await user.type(await findField(), 'Rose{Enter}')
  const message = await screen.findByText(/^Too many attempts\. Try again at /)
  const times = [0, 1, 2].map((minutes) =>
    new Date(before + 540_000 + minutes * 60_000).toLocaleTimeString('en-US', {
      hour: 'numeric',
      minute: '2-digit',
    }),
  )
  expect(times.map((time) => `Too many attempts. Try again at ${time}.`)).toContain(message.textContent)
})

test.each(['', '#your-photos'])(
  'When the address has the key and %p, then nothing is typed, and the key leaves the address',
  async (rest) => {
    const { proofs } = open(`/upload?eventId=${eventId}#key=${linkKey}${rest.replace('#', '&')}`)
    await screen.findByText('Upload')
    expect(screen.queryByLabelText('PIN')).toBeNull()
    expect(proofs()).toEqual([{ key: linkKey }])
    expect(location.hash).toBe(rest)
    expect(location.search).toBe(`?eventId=${eventId}`)
  },
)

test('When the key in the address is of an earlier PIN, then the page asks for the PIN', async () => {
  const { user, proofs } = open(`/upload?eventId=${eventId}#key=old`)
  await user.type(await findField(), `${PIN}{Enter}`)
  await screen.findByText('Upload')
  expect(proofs()).toEqual([{ key: 'old' }, { pin: PIN }])
  expect(location.hash).toBe('')
})

test('When the key cannot be exchanged without a network, then it is kept, and exchanged on request', async () => {
  isOffline = true
  const { user } = open(`/upload?eventId=${eventId}#key=${linkKey}`)
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(location.hash).toBe(`#key=${linkKey}`)
  isOffline = false
  await user.click(retry)
  await screen.findByText('Upload')
  expect(location.hash).toBe('')
})

test('When the event has no PIN any more, then the page shows it after the next attempt', async () => {
  rejection = { status: 404, body: { code: 'event_not_found', message: 'Event not found.' } }
  const { user } = open(`/upload?eventId=${eventId}`)
  const field = await findField()
  stubApi({
    [`GET /api/events/${eventId}`]: () => ({ body: { ...event(), event: event() } }),
    [passesCall()]: () => rejection,
  })
  await user.type(field, `${PIN}{Enter}`)
  await screen.findByText('Upload')
})

test('When a pass is kept, then it is with those of 19 other events that have not expired', async () => {
  const { user } = open(`/upload?eventId=${eventId}`)
  const field = await findField()
  const others = Array.from({ length: 25 }, (_, index) => ({ eventId: `event-${index}`, pass: 'other' }))
  const valid = others.map((each) => ({ ...each, expiresAt: '2099-01-01T00:00:00.000Z' }))
  const expired = { eventId: 'expired', pass: 'old', expiresAt: '2000-01-01T00:00:00.000Z' }
  eventPasses.store([...valid, expired])
  await user.type(field, `${PIN}{Enter}`)
  await screen.findByText('Upload')
  const kept = eventPasses.list().map((each) => each.eventId)
  expect(kept).toEqual([...valid.slice(6).map((each) => each.eventId), eventId])
})

test('When the pass for the key in the address is refused, then the page asks for the PIN, and the key is not tried again', async () => {
  const { user, proofs } = open(`/upload?eventId=${eventId}#key=${linkKey}`)
  issued = 'of an earlier PIN'
  const field = await findField()
  expect(proofs()).toEqual([{ key: linkKey }])
  issued = 'pass-1'
  await user.type(field, `${PIN}{Enter}`)
  await screen.findByText('Upload')
  expect(proofs()).toEqual([{ key: linkKey }, { pin: PIN }])
})

test('When the event asks for a PIN while the guest types a name, then the name is there afterwards', async () => {
  const { user } = open(`/upload?eventId=${eventId}#key=${linkKey}`)
  await user.type(await screen.findByLabelText('Your Name (Photo Credit)'), 'Ann')
  eventPasses.store([])
  const refused = api().get('/api/events/{eventId}', { params: { eventId }, asGuest: true })
  await refused.catch(() => undefined)
  await user.type(await findField(), `${PIN}{Enter}`)
  expect((await screen.findByLabelText<HTMLInputElement>('Your Name (Photo Credit)')).value).toBe('Ann')
})
