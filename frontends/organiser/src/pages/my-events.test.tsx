import type { ReactNode } from 'react'
import { beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { QueryClientProvider } from '@tanstack/react-query'
import { MB } from '@confetti/contracts'
import { createQueryClient } from '@confetti/federation/query-client'
import { BrowserRouter, useRoutes } from '@confetti/federation/router'
import { loadCatalogues } from '@confetti/i18n'
import { initSession } from '@confetti/session'
import { formatDay } from '@confetti/ui/day'
import { Toaster } from '@confetti/ui/toaster'
import { EventPhotos } from './event-photos.tsx'
import { MyEvents } from './my-events.tsx'
import { catalogues } from '../texts.ts'

await loadCatalogues(catalogues)

interface StubResponse {
  status?: number
  body: unknown
}

let handlers: Record<string, (query: URLSearchParams) => StubResponse | Promise<StubResponse>>

const EVENTS = '/api/myevents'
const WEDDING = {
  _id: '66aa00000000000000000001',
  name: 'Garden wedding',
  description: 'Dinner in the barn.',
  startDate: '2027-06-12',
  endDate: '2027-06-14',
  settings: {},
  uploadUrl: 'http://confetti.test/upload?eventId=66aa00000000000000000001',
}
const FAIR = { ...WEDDING, _id: '66aa00000000000000000002', name: 'Harbour fair' }
const uploadsOf = ({ _id }: { _id: string }): string => `/api/myevents/uploads/${_id}`

beforeEach(() => {
  cleanup()
  initSession({ brand: 'Confetti', apiUrl: 'http://api.test' })
  handlers = {
    [EVENTS]: () => ({ body: { events: [WEDDING, FAIR] } }),
    [uploadsOf(WEDDING)]: () => ({ body: { uploads: [] } }),
    [uploadsOf(FAIR)]: () => ({ body: { uploads: [] } }),
  }
  globalThis.fetch = (async (address: string) => {
    const { pathname, searchParams } = new URL(address)
    const { status = 200, body } = (await handlers[pathname]?.(searchParams)) ?? {
      status: 404,
      body: {},
    }
    return { ok: status < 300, status, text: () => Promise.resolve(JSON.stringify(body)), headers: new Map() }
  }) as unknown as typeof fetch
  // jsdom has no layout: every element counts as visible.
  globalThis.IntersectionObserver = class {
    constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
      setTimeout(() => callback([{ isIntersecting: true }]))
    }
    observe() {}
    disconnect() {}
  } as unknown as typeof IntersectionObserver
})

const renderPage = (page: ReactNode) =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <BrowserRouter>
        {page}
        <Toaster />
      </BrowserRouter>
    </QueryClientProvider>,
  )
const open = () => renderPage(<MyEvents />)
const Photos = () => useRoutes([{ path: '/myevents/:eventId', element: <EventPhotos /> }])
const openPhotos = () => {
  history.replaceState(null, '', `/myevents/${WEDDING._id}`)
  renderPage(<Photos />)
}
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

test('When the picture of the QR code cannot be loaded, then the dialog says so, and Retry loads it', async () => {
  let isDown = true
  handlers[`/api/events/${WEDDING._id}/qrcode`] = () =>
    isDown
      ? { status: 503, body: { message: 'The server is busy.', code: 'x' } }
      : { body: { qrCodeDataUrl: 'data:image/png;base64,QUJD', uploadUrl: WEDDING.uploadUrl } }
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
  const user = userEvent.setup()
  open()
  const card = await cardOf(WEDDING)
  await user.click(card.getByRole('button', { name: 'Enlarge the QR code of Garden wedding' }))
  const dialog = within(card.getByRole('dialog', { name: 'QR code of Garden wedding' }))
  expect(
    await dialog.findByText("Couldn't load the QR code to download and print. The server is busy."),
  ).toBeTruthy()
  isDown = false
  await user.click(dialog.getByRole('button', { name: 'Retry' }))
  expect(await dialog.findByRole('link', { name: 'Download QR code' })).toBeTruthy()
  expect(document.activeElement).not.toBe(document.body)
})

test('When the QR code is enlarged, then its link can be copied and shared, and its picture saved and printed', async () => {
  const image = 'data:image/png;base64,QUJD'
  handlers[`/api/events/${WEDDING._id}/qrcode`] = () => ({
    body: { qrCodeDataUrl: image, uploadUrl: WEDDING.uploadUrl },
  })
  const user = userEvent.setup()
  const shared: ShareData[] = []
  Object.assign(navigator, {
    share: (data: ShareData) => {
      shared.push(data)
      return Promise.reject(new DOMException('Nothing was shared.', 'AbortError'))
    },
  })
  const print = jest.spyOn(window, 'print').mockReturnValue()
  open()
  const card = await cardOf(WEDDING)
  expect(screen.queryByRole('button', { name: 'Copy link' })).toBeNull()
  await user.click(card.getByRole('button', { name: 'Enlarge the QR code of Garden wedding' }))
  await user.click(screen.getByRole('button', { name: 'Copy link' }))
  expect(await navigator.clipboard.readText()).toBe(WEDDING.uploadUrl)
  await user.click(screen.getByRole('button', { name: 'Share link' }))
  expect(shared).toEqual([{ title: 'Garden wedding', url: WEDDING.uploadUrl }])
  const save = await screen.findByRole('link', { name: 'Download QR code' })
  expect([save.getAttribute('href'), save.getAttribute('download')]).toEqual([
    image,
    'QR code Garden wedding.png',
  ])
  await user.click(screen.getByRole('button', { name: 'Print poster' }))
  expect(print).toHaveBeenCalledTimes(1)
  expect(screen.getByText('Share your photos and videos')).toBeTruthy()
})

test('When the page opens, then the batch size is 100', async () => {
  open()
  await cardOf(WEDDING)
  expect(screen.getByLabelText<HTMLInputElement>('100').checked).toBe(true)
})

test('When there are no events, then the page links to Contact Admin', async () => {
  handlers[EVENTS] = () => ({ body: { events: [] } })
  open()
  expect(await screen.findByText('No events found.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Contact Admin' }).getAttribute('href')).toBe('/contact-admin')
})

test('When the events fail to load, then a toast and the page say so, and Retry loads them', async () => {
  handlers[EVENTS] = () => ({ status: 503, body: { message: 'The server is busy.', code: 'x' } })
  open()
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getAllByText('The server is busy.')).toHaveLength(2)
  handlers[EVENTS] = () => ({ body: { events: [WEDDING] } })
  await userEvent.click(retry)
  expect(document.activeElement).not.toBe(document.body)
  const card = await cardOf(WEDDING)
  expect(document.activeElement?.contains(card.getByRole('heading'))).toBe(true)
  expect(document.activeElement).not.toBe(document.body)
})

test('When the event does not exist, then its page says so, and links to the list', async () => {
  const notFound = { status: 404, body: { message: 'Event not found.', code: 'event_not_found' } }
  handlers[uploadsOf(WEDDING)] = () => notFound
  openPhotos()
  expect(await screen.findByRole('heading', { name: 'This event does not exist.' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'See my events' }).getAttribute('href')).toBe('/myevents')
  expect(screen.queryByRole('button', { name: 'Download All Uploads' })).toBeNull()
})

test('When nothing has been uploaded, then Download All Uploads says so', async () => {
  open()
  const card = await cardOf(WEDDING)
  expect(await card.findByText('No photos yet. Show your guests the QR code.')).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: 'Download All Uploads' }))
  expect(await screen.findByText('There are no files to download.')).toBeTruthy()
})

test('When one event downloads, then the other ones can still be downloaded', async () => {
  open()
  const wedding = await cardOf(WEDDING)
  const fair = await cardOf(FAIR)
  await wedding.findByText('No photos yet. Show your guests the QR code.')
  handlers[uploadsOf(WEDDING)] = () => new Promise(() => undefined)
  await userEvent.click(wedding.getByRole('button', { name: 'Download All Uploads' }))
  const isDisabled = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true'
  expect(isDisabled(wedding.getByRole('button', { name: 'Downloading...' }))).toBe(true)
  expect(isDisabled(fair.getByRole('button', { name: 'Download All Uploads' }))).toBe(false)
})

test('When everything of an event is downloaded, then the link is requested for this event only', async () => {
  const created: string[] = []
  for (const event of [WEDDING, FAIR])
    handlers[`${uploadsOf(event)}/archives`] = () => {
      created.push(event.name)
      return { status: 503, body: { message: 'The server is busy.', code: 'x' } }
    }
  handlers[uploadsOf(FAIR)] = () => ({ body: { uploads: [], total: { files: 3, guests: 1, bytes: 2 * MB } } })
  open()
  const card = await cardOf(FAIR)
  await userEvent.click(await card.findByRole('button', { name: 'Download' }))
  await userEvent.click(screen.getByRole('button', { name: 'Download everything: 3 files, 2 MB' }))
  expect(await screen.findByText('The server is busy.')).toBeTruthy()
  expect(created).toEqual(['Harbour fair'])
})

test('When there are photos, then the card shows the latest and how many there are, with one small request', async () => {
  const upload = (name: string) => ({
    _id: name,
    originalName: name,
    photoCredit: name === 'c.jpg' ? 'The band' : 'Table 4',
    uploadedAt: '2027-06-12T20:00:00.000Z',
    status: 'ready',
    contentType: 'image/jpeg',
    thumbnailUrl: `http://blob.test/${name}.webp`,
  })
  const queries: string[] = []
  handlers[uploadsOf(WEDDING)] = (query) => {
    queries.push(`limit ${query.get('limit')}, after ${query.get('after')}`)
    return {
      body: {
        uploads: [upload('c.jpg'), upload('b.jpg'), upload('a.jpg')],
        nextCursor: 'next',
        total: { files: 1234, guests: 56, bytes: 5.6 * 1_024 * MB },
      },
    }
  }
  open()
  const card = await cardOf(WEDDING)
  expect(await card.findByText('1,234 files from 56 guests')).toBeTruthy()
  expect(queries).toEqual(['limit 8, after null'])
  await waitFor(() =>
    expect(card.getByAltText('c.jpg').getAttribute('src')).toBe('http://blob.test/c.jpg.webp'),
  )
  expect(card.getByRole('link', { name: 'See the photos of Garden wedding' }).getAttribute('href')).toBe(
    `/myevents/${WEDDING._id}`,
  )
})

test('When an event is looked at, then its card says whether it is on, what waits, and that guests have a gallery', async () => {
  const moderated = { ...WEDDING, settings: { moderation: 'approve', gallery: 'on' } }
  const day = new Date().getFullYear()
  const upcoming = { ...FAIR, startDate: `${day + 1}-06-12`, endDate: `${day + 1}-06-14` }
  const past = {
    ...FAIR,
    _id: '66aa00000000000000000003',
    name: 'Old fair',
    startDate: '2020-01-01',
    endDate: '2020-01-02',
  }
  const active = { ...moderated, startDate: '2020-01-01', endDate: `${day + 1}-06-14` }
  handlers[EVENTS] = () => ({ body: { events: [active, upcoming, past] } })
  const total = { files: 12, guests: 3, bytes: MB, waiting: 5 }
  handlers[uploadsOf(WEDDING)] = () => ({ body: { uploads: [], total } })
  open()
  const card = await cardOf(WEDDING)
  expect(card.getByText('Active')).toBeTruthy()
  expect(card.getByText('Gallery on')).toBeTruthy()
  const review = await card.findByRole('link', { name: 'Review 5 of Garden wedding' })
  expect(review.getAttribute('href')).toBe(`/myevents/${WEDDING._id}/review`)
  expect((await cardOf(upcoming)).getByText('Upcoming')).toBeTruthy()
  expect((await cardOf(past)).getByText('Past')).toBeTruthy()
  expect((await cardOf(past)).queryByText('Gallery on')).toBeNull()
})

const GB = 1_024 * MB
test.each([
  [39, 499, []],
  [40, 399, ['40 of 50 GB Almost full.']],
  [50, 400, ["50 of 50 GB Full: guests can't send more.", '400 of 500 files Almost full.']],
])(
  'When %d of 50 GB and %d of 500 files are used, then the card and the page of the photos warn of what is almost full',
  async (gigabytes, files, warnings) => {
    const limited = { ...WEDDING, settings: { maxBytes: 50 * GB, maxFiles: files === 499 ? 5_000 : 500 } }
    handlers[EVENTS] = () => ({ body: { events: [limited] } })
    handlers[uploadsOf(WEDDING)] = () => ({
      body: { uploads: [], total: { files, guests: 1, bytes: gigabytes * GB } },
    })
    open()
    const card = await cardOf(WEDDING)
    await card.findByText(`${files} files from 1 guest`)
    expect(card.queryAllByRole('progressbar').map((bar) => bar.parentElement?.textContent)).toEqual(warnings)
    const settings = card.getByRole('link', { name: 'Settings of Garden wedding' })
    expect(settings.getAttribute('href')).toBe(`/myevents/${WEDDING._id}/settings`)
  },
)
