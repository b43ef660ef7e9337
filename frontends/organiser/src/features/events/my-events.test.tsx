/** @jest-environment jsdom */
import { beforeEach, expect, test } from '@jest/globals'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { BrowserRouter } from '@confetti/federation/router'
import { openSession } from '@confetti/session'
import { formatDay } from '@confetti/ui/day'
import { Toaster } from '@confetti/ui/toaster'
import { EventPhotos } from './event-photos.tsx'
import { MyEvents } from '../../pages/my-events.tsx'

interface Served {
  status?: number
  body: unknown
}

let answers: Record<string, () => Served | Promise<Served>>

const EVENTS = '/api/myevents'
const WEDDING = {
  _id: '66aa00000000000000000001',
  name: 'Garden wedding',
  description: 'Dinner in the barn.',
  startDate: '2027-06-12',
  endDate: '2027-06-14',
  uploadUrl: 'http://confetti.test/upload?eventId=66aa00000000000000000001',
}
const FAIR = { ...WEDDING, _id: '66aa00000000000000000002', name: 'Harbour fair' }
const uploadsOf = ({ _id }: { _id: string }): string => `/api/myevents/uploads/${_id}`

beforeEach(() => {
  cleanup()
  openSession({ brand: 'Confetti', apiUrl: 'http://api.test' })
  answers = {
    [EVENTS]: () => ({ body: { events: [WEDDING, FAIR] } }),
    [uploadsOf(WEDDING)]: () => ({ body: { uploads: [] } }),
    [uploadsOf(FAIR)]: () => ({ body: { uploads: [] } }),
  }
  globalThis.fetch = (async (address: string) => {
    const { status = 200, body } = (await answers[new URL(address).pathname]?.()) ?? {
      status: 404,
      body: {},
    }
    return { ok: status < 300, status, text: () => Promise.resolve(JSON.stringify(body)), headers: new Map() }
  }) as unknown as typeof fetch
  // All is in view.
  globalThis.IntersectionObserver = class {
    constructor(told: (entries: { isIntersecting: boolean }[]) => void) {
      setTimeout(() => told([{ isIntersecting: true }]))
    }
    observe() {}
    disconnect() {}
  } as unknown as typeof IntersectionObserver
})

const open = () =>
  render(
    <BrowserRouter>
      <MyEvents />
      <Toaster />
    </BrowserRouter>,
  )
const cardOf = async ({ name }: { name: string }) =>
  within((await screen.findByRole('heading', { name })).closest('li') ?? document.body)

test('When the organiser has events, then each card has its link, days, text and QR code', async () => {
  open()
  const card = await cardOf(WEDDING)
  const link = card.getByRole('link', { name: 'Garden wedding' })
  expect(link.getAttribute('href')).toBe(WEDDING.uploadUrl)
  expect(link.getAttribute('target')).toBe('_blank')
  expect(card.getByText(`${formatDay('2027-06-12')} - ${formatDay('2027-06-14')}`)).toBeTruthy()
  expect(card.getByText('Dinner in the barn.')).toBeTruthy()
  const code = card.getByRole('img', { name: 'QR code of the upload link of Garden wedding' })
  expect(code.getAttribute('width')).toBe('100')
})

test('When the page opens, then batches have 100 files', async () => {
  open()
  await cardOf(WEDDING)
  expect(screen.getByLabelText<HTMLInputElement>('100').checked).toBe(true)
})

test('When there are no events, then the page tells whom to ask', async () => {
  answers[EVENTS] = () => ({ body: { events: [] } })
  open()
  expect(await screen.findByText('No events found.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Contact Admin' }).getAttribute('href')).toBe('/contact-admin')
})

test('When the events cannot be had, then that is told, and Retry brings them', async () => {
  answers[EVENTS] = () => ({ status: 503, body: { message: 'The server is busy.', code: 'x' } })
  open()
  const again = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getAllByText('The server is busy.')).toHaveLength(2)
  answers[EVENTS] = () => ({ body: { events: [WEDDING] } })
  await userEvent.click(again)
  await cardOf(WEDDING)
})

test('When there is no such event, then its page says so, and leads back to the list', async () => {
  const unknown = { status: 404, body: { message: 'Event not found.', code: 'event_not_found' } }
  answers[uploadsOf(WEDDING)] = () => unknown
  render(
    <BrowserRouter>
      <EventPhotos eventId={WEDDING._id} />
    </BrowserRouter>,
  )
  expect(await screen.findByRole('heading', { name: 'This event does not exist.' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'See my events' }).getAttribute('href')).toBe('/myevents')
  expect(screen.queryByRole('button', { name: 'Download All Uploads' })).toBeNull()
})

test('When nothing has been uploaded, then a download says so', async () => {
  open()
  const card = await cardOf(WEDDING)
  expect(await card.findByText('No photos yet. Show your guests the QR code.')).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: 'Download All Uploads' }))
  expect(await screen.findByText('There are no files to download.')).toBeTruthy()
})

test('When one event downloads, then the other ones can still be asked for', async () => {
  open()
  const wedding = await cardOf(WEDDING)
  const fair = await cardOf(FAIR)
  await wedding.findByText('No photos yet. Show your guests the QR code.')
  answers[uploadsOf(WEDDING)] = () => new Promise(() => undefined)
  await userEvent.click(wedding.getByRole('button', { name: 'Download All Uploads' }))
  expect(wedding.getByRole<HTMLButtonElement>('button', { name: 'Downloading...' }).disabled).toBe(true)
  expect(fair.getByRole<HTMLButtonElement>('button', { name: 'Download All Uploads' }).disabled).toBe(false)
})

test('When photos have come, then the card shows the latest and how many there are', async () => {
  const upload = (name: string) => ({
    _id: name,
    originalName: name,
    photoCredit: name === 'c.jpg' ? 'The band' : 'Table 4',
    uploadedAt: '2027-06-12T20:00:00.000Z',
    status: 'ready',
    contentType: 'image/jpeg',
    thumbnailUrl: `http://blob.test/${name}.webp`,
  })
  answers[uploadsOf(WEDDING)] = () => ({
    body: { uploads: [upload('c.jpg'), upload('b.jpg'), upload('a.jpg')] },
  })
  open()
  const card = await cardOf(WEDDING)
  expect(await card.findByText('3 files from 2 guests')).toBeTruthy()
  await waitFor(() =>
    expect(card.getByAltText('c.jpg').getAttribute('src')).toBe('http://blob.test/c.jpg.webp'),
  )
  expect(card.getByRole('link', { name: 'See the photos of Garden wedding' }).getAttribute('href')).toBe(
    `/myevents/${WEDDING._id}`,
  )
})
