import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { mediaTypeRows } from '@confetti/contracts'
import { BrowserRouter, useLocation, useRoutes } from '@confetti/federation/router'
import { loadCatalogues, setLocale } from '@confetti/i18n'
import { initSession } from '@confetti/session'
import { Toaster } from '@confetti/ui/toaster'
import { SendingNotice } from '../features/upload/sending-status.tsx'
import { guestCatalogues } from '../texts.ts'
import { Upload } from './upload.tsx'

await loadCatalogues(guestCatalogues)

// Mocked responses: one for the event, and one for each file by its name.
type Reply = { status: number; body: unknown; retryAfter?: string } | 'network error'

const event = {
  _id: '0123456789abcdef01234567',
  name: 'Harbour summer fair',
  description: 'Stalls, boats and the band on the pier.',
  startDate: '2027-06-12',
  endDate: '2027-06-14',
  uploadsOpen: true,
  uploadsCloseAt: '2027-07-15T00:00:00.000Z',
  limits: { maxFileBytes: 524_288_000, types: mediaTypeRows.map(({ type }) => type) },
}
const uploaded: Reply = {
  status: 201,
  body: { message: 'Thanks.', uploads: [{ duplicate: false }], rejected: [] },
}
const errorReply = (status: number, message: string): Exclude<Reply, string> => ({
  status,
  body: { message, code: 'any', requestId: '1' },
})

let replyToEvent: () => Reply
let replyToCover: () => Promise<Reply>
let replyToFile: (name: string) => Reply | undefined
let ownUploads: object[]
let forms: FormData[]
let sendResponses: (() => void)[]

class FakeRequest {
  upload: { onprogress?: (event: object) => void; onload?: () => void } = {}
  status = 0
  responseText = ''
  onload?: () => void
  onerror?: () => void
  onabort?: () => void
  onloadend?: () => void
  private retryAfter: string | undefined
  open(): void {
    // The tests do not check the URL.
  }
  setRequestHeader(): void {
    // Nor the headers.
  }
  getResponseHeader(name: string): string | null {
    return name === 'Retry-After' ? (this.retryAfter ?? null) : null
  }
  abort(): void {
    this.onabort?.()
    this.onloadend?.()
  }
  send(form: FormData): void {
    forms.push(form)
    const { name, size } = form.get('media') as File
    const respond = (): void => {
      const reply = replyToFile(name) ?? uploaded
      if (reply === 'network error') this.onerror?.()
      else {
        this.status = reply.status
        this.retryAfter = reply.retryAfter
        this.responseText = JSON.stringify(reply.body)
        this.upload.onprogress?.({ loaded: size, total: size })
        this.onload?.()
      }
      this.onloadend?.()
    }
    sendResponses.push(respond)
    if (!delayResponses) queueMicrotask(respond)
  }
}
let delayResponses: boolean

let eventRequests: number
/** Replies to the calls about tickets. The default is that of a server without direct uploads. */
let replyToTicketCall: (path: string, body: never) => Reply

const createResponse = (reply: Exclude<Reply, string>) => ({
  ok: reply.status < 400,
  status: reply.status,
  headers: new Headers(reply.retryAfter ? { 'Retry-After': reply.retryAfter } : {}),
  text: () => Promise.resolve(JSON.stringify(reply.body)),
})
const mockFetch = async (url: string, { body = '' }: { body?: string } = {}): Promise<unknown> => {
  const { pathname } = new URL(url)
  if (pathname === '/api/guest/uploads') return createResponse({ status: 200, body: { uploads: ownUploads } })
  const isEvent = pathname.startsWith('/api/events/')
  if (isEvent) eventRequests += 1
  const reply = pathname.endsWith('/cover')
    ? await replyToCover()
    : isEvent
      ? replyToEvent()
      : replyToTicketCall(pathname, JSON.parse(body) as never)
  if (reply === 'network error') throw new TypeError('Failed to fetch')
  return createResponse(reply)
}

const CurrentLocation = () => {
  const { pathname, state } = useLocation()
  return (
    <output>
      {pathname} {JSON.stringify(state)}
    </output>
  )
}
const Pages = () =>
  useRoutes([
    { path: '/upload', element: <Upload /> },
    { path: '*', element: <CurrentLocation /> },
  ])

// Each test has its own event, because the send queue of an event outlives the page.
let eventNumber = 0
const openPage = (query = `?eventId=${event._id}`) => {
  history.pushState(null, '', `/upload${query}`)
  render(
    <BrowserRouter>
      <Pages />
      <Toaster />
    </BrowserRouter>,
  )
  return userEvent.setup()
}
const isUnloadBlocked = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
const photo = (name: string): File =>
  new File(['bytes of ' + name], name, { type: 'image/jpeg', lastModified: 1 })
const findNameField = () => screen.findByLabelText('Your Name (Photo Credit)')
const findPicker = () => screen.findByLabelText<HTMLInputElement>('Add photos and videos')
const findButton = (name: string) => screen.findByRole('button', { name })

beforeEach(() => {
  eventNumber += 1
  event._id = eventNumber.toString(16).padStart(24, '0')
  replyToEvent = () => ({ status: 200, body: { ...event, event } })
  replyToFile = () => undefined
  replyToTicketCall = () => errorReply(404, 'Not found.')
  ownUploads = []
  forms = []
  sendResponses = []
  delayResponses = false
  eventRequests = 0
  localStorage.clear()
  Object.assign(globalThis, {
    fetch: mockFetch,
    XMLHttpRequest: FakeRequest,
    IntersectionObserver: class {
      observe = jest.fn()
      unobserve = jest.fn()
    },
  })
  initSession({ brand: 'Confetti', apiUrl: 'http://localhost:3001' })
})
afterEach(cleanup)

test('When the link has no event id, then an error page and a toast are shown', async () => {
  openPage('')
  expect(await screen.findByRole('heading', { name: 'Which event is it?' })).toBeTruthy()
  expect(await screen.findByText('Event ID is missing.')).toBeTruthy()
})

test('When the event does not exist, then an error page is shown', async () => {
  replyToEvent = () => errorReply(404, 'Event not found.')
  openPage()
  expect(await screen.findByRole('heading', { name: 'Event not found' })).toBeTruthy()
})

test('When the event is closed, then the page shows its last day in the time zone of the event', async () => {
  const closed = {
    uploadsOpen: false,
    uploadsCloseAt: '2026-07-15T04:00:00.000Z',
    timeZone: 'America/New_York',
  }
  replyToEvent = () => ({ status: 200, body: { ...event, ...closed } })
  openPage()
  expect(await screen.findByText(/closed on 14 July 2026/)).toBeTruthy()
  expect(screen.queryByLabelText('Add photos and videos')).toBeNull()
})

test('When an organiser has closed the event before its closing time, then the page names no day', async () => {
  const closed = { uploadsOpen: false, uploadsCloseAt: '2999-07-15T04:00:00.000Z' }
  replyToEvent = () => ({ status: 200, body: { ...event, ...closed } })
  openPage()
  expect(await screen.findByText('Uploads for this event are closed.')).toBeTruthy()
})

test('When the event is going to be deleted, then the page says until when it is kept, in its time zone', async () => {
  const deleteAt = '2027-09-12T22:00:00.000Z'
  replyToEvent = () => ({ status: 200, body: { ...event, timeZone: 'Europe/Berlin', deleteAt } })
  openPage()
  expect(await screen.findByText('Photos and videos are kept until 12 September 2027.')).toBeTruthy()
})

test('When the event has a welcome text, then the page shows it, and requests no cover', async () => {
  replyToEvent = () => ({ status: 200, body: { ...event, welcome: 'Hello!\nWe are Zoë and Amir.' } })
  openPage()
  expect(await screen.findByText(/We are Zoë and Amir/)).toBeTruthy()
  expect(eventRequests).toBe(1)
})

test('When the organisers have translated the event, then guests read it in the language of the page', async () => {
  const translations = { de: { name: 'Gartenhochzeit', welcome: 'Schön, dass ihr da seid!' } }
  replyToEvent = () => ({ status: 200, body: { ...event, welcome: 'Welcome!', translations } })
  openPage()
  await screen.findByText('Welcome!')
  await act(() => setLocale('de'))
  expect(screen.getByRole('heading', { name: 'Gartenhochzeit' })).toBeTruthy()
  expect(screen.getByText('Schön, dass ihr da seid!')).toBeTruthy()
  await act(() => setLocale('en'))
  expect(screen.getByRole('heading', { name: event.name })).toBeTruthy()
})

test('When the event has a gallery, then the page leads to it, also when uploads are closed', async () => {
  const galleryLink = () => screen.queryByRole('link', { name: "See everyone's photos" })
  openPage()
  await findPicker()
  expect(galleryLink()).toBeNull()
  cleanup()
  replyToEvent = () => ({ status: 200, body: { ...event, gallery: 'on' } })
  openPage()
  await findPicker()
  expect(galleryLink()?.getAttribute('href')).toBe(`/gallery?eventId=${event._id}`)
  cleanup()
  replyToEvent = () => ({ status: 200, body: { ...event, gallery: 'on', uploadsOpen: false } })
  openPage()
  await screen.findByText('Uploads for this event are closed.')
  expect(galleryLink()).not.toBeNull()
})

const settingsOfGallery = { gallery: 'on', timeZone: 'Europe/Berlin', revealAt: '2999-07-15T18:00:00.000Z' }

test('When the gallery opens later, then the page says when, and leads to it only from then on', async () => {
  const galleryLink = () => screen.queryByRole('link', { name: "See everyone's photos" })
  for (const uploadsOpen of [true, false]) {
    replyToEvent = () => ({ status: 200, body: { ...event, ...settingsOfGallery, uploadsOpen } })
    openPage()
    await screen.findByText('The gallery opens on Monday, 15 July 2999 at 20:00.')
    expect(galleryLink()).toBeNull()
    cleanup()
  }
  replyToEvent = () => ({
    status: 200,
    body: { ...event, ...settingsOfGallery, revealAt: '2020-01-01T00:00:00.000Z' },
  })
  openPage()
  await findPicker()
  expect(galleryLink()).not.toBeNull()
  expect(screen.queryByText(/The gallery opens/)).toBeNull()
})

test('When organisers approve what guests send, then the page says so, and the thank-you page gets it', async () => {
  replyToEvent = () => ({ status: 200, body: { ...event, ...settingsOfGallery, moderation: 'approve' } })
  const user = openPage()
  await screen.findByText('The organisers check photos and videos before others see them.')
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), photo('a.jpg'))
  await user.click(await findButton('Upload'))
  const { textContent } = await screen.findByText(/\/thank-you/)
  const { gallery: _, ...shown } = settingsOfGallery
  expect(JSON.parse(textContent.replace('/thank-you', ''))).toMatchObject({
    ...shown,
    moderation: 'approve',
    hasGallery: true,
  })
})

test('When a guest has sent files, then the next visit shows them; a first visit does not ask for them', async () => {
  ownUploads = [{ _id: 'u1', originalName: 'a.jpg', contentType: 'image/jpeg', status: 'ready' }]
  const user = openPage()
  await user.upload(await findPicker(), photo('a.jpg'))
  expect(screen.queryByRole('heading', { name: 'Your photos' })).toBeNull()
  await user.type(await findNameField(), 'Table 4')
  await user.click(await findButton('Upload'))
  await screen.findByText(/\/thank-you/)
  cleanup()
  openPage('?eventId=' + event._id + '#your-photos')
  await findButton('Delete a.jpg')
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Your photos' }))
})

test('When the event has a cover, then the page reserves its space and shows it; a broken one disappears', async () => {
  replyToEvent = () => ({ status: 200, body: { ...event, cover: 'c'.repeat(24) } })
  const coverReply = Promise.withResolvers<Reply>()
  replyToCover = () => coverReply.promise
  openPage()
  await findPicker()
  const space = document.querySelector('header > div')
  expect(space).not.toBeNull()
  expect(document.querySelector('header img')).toBeNull()

  coverReply.resolve({ status: 200, body: { url: 'http://storage.test/cover', width: 400, height: 300 } })
  await waitFor(() =>
    expect(document.querySelector('header img')?.getAttribute('src')).toBe('http://storage.test/cover'),
  )
  fireEvent.error(document.querySelector('header img') ?? document.body)
  expect(document.querySelector('header img')).toBeNull()
  expect(document.querySelector('header > div')).toBe(space)
})

test('When the cover cannot be loaded, then guests can upload without it', async () => {
  replyToEvent = () => ({ status: 200, body: { ...event, cover: 'c'.repeat(24) } })
  replyToCover = () => Promise.resolve('network error')
  openPage()
  await waitFor(() => expect(eventRequests).toBe(2))
  await findPicker()
  expect(document.querySelector('header img')).toBeNull()
})

test('When the event fails to load, then Retry loads it', async () => {
  replyToEvent = () => 'network error'
  const user = openPage()
  const retry = await findButton('Retry')
  replyToEvent = () => ({ status: 200, body: event })
  await user.click(retry)
  expect(await screen.findByRole('heading', { name: 'Harbour summer fair' })).toBeTruthy()
  expect(screen.getByText('12 – 14 June 2027')).toBeTruthy()
})

test('When the event fails to load again after Retry, then the keyboard focus stays in the page until it is loaded', async () => {
  replyToEvent = () => 'network error'
  const user = openPage()
  const hasFocus = (heading: HTMLElement): boolean =>
    document.activeElement !== document.body && document.activeElement?.contains(heading) === true
  const retry = async (): Promise<void> => {
    act(() => screen.getByRole('button', { name: 'Retry' }).focus())
    await user.keyboard('{Enter}')
  }
  await findButton('Retry')
  await retry()
  expect(hasFocus(await screen.findByRole('heading', { name: "Couldn't load the event" }))).toBe(true)
  replyToEvent = () => ({ status: 200, body: event })
  await retry()
  expect(hasFocus(await screen.findByRole('heading', { name: event.name }))).toBe(true)
})

test('When the event fails to load, then it is loaded when the device is online again', async () => {
  replyToEvent = () => 'network error'
  openPage()
  await findButton('Retry')
  replyToEvent = () => ({ status: 200, body: event })
  act(() => void window.dispatchEvent(new Event('online')))
  expect(await screen.findByRole('heading', { name: 'Harbour summer fair' })).toBeTruthy()
})

test('When the server is busy at the first visit, then the page says so, waits for Retry-After, and loads the event itself', async () => {
  replyToEvent = () => ({ ...errorReply(503, 'The service is busy.'), retryAfter: '0' })
  openPage()
  expect(await screen.findByText('The server is busy. The event will load automatically.')).toBeTruthy()
  replyToEvent = () => ({ status: 200, body: event })
  expect(await screen.findByRole('heading', { name: event.name })).toBeTruthy()
})

test('When the server is busy for longer than a guest would wait, then the page reports it', async () => {
  replyToEvent = () => ({ ...errorReply(503, 'The service is busy.'), retryAfter: '600' })
  openPage()
  expect(await screen.findByText('The service is busy.')).toBeTruthy()
  expect(eventRequests).toBe(1)
})

test('When the event fails to load, then the page promises to retry only if the device is offline', async () => {
  const online = jest.spyOn(navigator, 'onLine', 'get')
  const promise = "This page will retry automatically when you're back online."
  replyToEvent = () => 'network error'
  openPage()
  await findButton('Retry')
  expect(screen.queryByText(promise)).toBeNull()
  online.mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(screen.getByText(promise)).toBeTruthy()
  online.mockRestore()
})

test('When no file is selected, then a toast is shown and nothing is sent', async () => {
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.click(await findButton('Upload'))
  expect(await screen.findByText('Please select at least one file.')).toBeTruthy()
  expect(forms).toEqual([])
})

test('When Upload is pressed without files, then the picker opens, and the toast goes when a file is chosen', async () => {
  const user = openPage()
  const picker = await findPicker()
  const handleClick = jest.fn()
  picker.addEventListener('click', handleClick)
  await user.type(await findNameField(), 'Table 4')
  await user.click(await findButton('Upload'))
  expect(handleClick).toHaveBeenCalledTimes(1)
  expect(document.activeElement).toBe(picker)
  await screen.findByText('Please select at least one file.')
  fireEvent.change(picker, { target: { files: [photo('a.jpg')] } })
  await screen.findByText('a.jpg')
  // Not only after its five seconds.
  expect(screen.queryByText('Please select at least one file.')).toBeNull()
})

test('When no file is selected yet, then adding files is the main action, and later Upload', async () => {
  const user = openPage()
  const isPrimary = (element: HTMLElement): boolean => element.classList.contains('primary')
  expect(isPrimary(await screen.findByText('Add photos and videos'))).toBe(true)
  expect(isPrimary(await findButton('Upload'))).toBe(false)
  await user.upload(await findPicker(), photo('a.jpg'))
  expect(isPrimary(await screen.findByText('Add more'))).toBe(false)
  expect(isPrimary(await findButton('Upload'))).toBe(true)
})

/** Opens the chooser while the only file is being sent, which then is. */
const finishWhileChoosing = async () => {
  delayResponses = true
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), photo('a.jpg'))
  await user.click(await findButton('Upload'))
  await waitFor(() => expect(sendResponses).toHaveLength(1))
  const picker = await screen.findByLabelText<HTMLInputElement>('Add more photos and videos')
  fireEvent.click(picker)
  act(() => sendResponses[0]?.())
  await screen.findByText('Sent')
  return { user, picker }
}

test('When the chooser is open while the last file is sent, then the page waits for what is chosen', async () => {
  const { user, picker } = await finishWhileChoosing()
  expect(picker.isConnected).toBe(true)
  fireEvent.change(picker, { target: { files: [photo('b.jpg')] } })
  delayResponses = false
  await user.click(await findButton('Upload'))
  expect((await screen.findByText(/\/thank-you/)).textContent).toContain('"count":2')
})

test('When the chooser was open while the last file was sent, and is cancelled, then the page goes on', async () => {
  const { picker } = await finishWhileChoosing()
  fireEvent(picker, new Event('cancel', { bubbles: true }))
  expect((await screen.findByText(/\/thank-you/)).textContent).toContain('"count":1')
})

test('When a browser does not say that the chooser is closed, then the guest can finish', async () => {
  const { user } = await finishWhileChoosing()
  await user.click(await findButton('Finish'))
  expect((await screen.findByText(/\/thank-you/)).textContent).toContain('"count":1')
})

test('When the name is blank, then the field shows an error and nothing is sent', async () => {
  const user = openPage()
  await user.upload(await findPicker(), photo('a.jpg'))
  await user.type(await findNameField(), '   ')
  await user.click(await findButton('Upload'))
  expect(await screen.findByText('Photo credit name is required.')).toBeTruthy()
  expect(document.activeElement).toBe(await findNameField())
  expect(forms).toEqual([])
})

test('When the name has more than 80 characters, then the field says so, keeps it, and nothing is sent', async () => {
  const user = openPage()
  await user.upload(await findPicker(), photo('a.jpg'))
  await user.click(await findNameField())
  // An emoji is one character and two UTF-16 code units.
  await user.paste('🎉'.repeat(81))
  expect(await screen.findByText('The name is longer than 80 characters.')).toBeTruthy()
  await user.click(await findButton('Upload'))
  expect(document.activeElement).toBe(await findNameField())
  expect(forms).toEqual([])
  await user.clear(await findNameField())
  await user.paste('🎉'.repeat(80))
  await user.click(await findButton('Upload'))
  expect(await screen.findByText(/\/thank-you/)).toBeTruthy()
  expect(forms[0]?.get('photoCredit')).toBe('🎉'.repeat(80))
})

test('When all files are uploaded, then the thank-you page has their number, and the name is remembered', async () => {
  const user = openPage()
  await user.type(await findNameField(), ' Table 4 ')
  await user.upload(await findPicker(), [photo('a.jpg'), photo('b.jpg')])
  await user.click(await findButton('Upload'))
  const thankYou = await screen.findByText(/\/thank-you/)
  expect(thankYou.textContent).toContain(
    JSON.stringify({
      count: 2,
      eventId: event._id,
      eventName: event.name,
      credit: 'Table 4',
      refused: [],
      refusedCount: 0,
    }),
  )
  expect(screen.getByText('Media uploaded successfully.')).toBeTruthy()
  expect(forms.map((form) => [...form.keys()])).toEqual(
    Array(2).fill(['eventId', 'photoCredit', 'lastModified', 'media']),
  )
  cleanup()
  openPage()
  expect((await findNameField()).getAttribute('value')).toBe('Table 4')
})

test('When one file is rejected, then it shows why, the others are uploaded, and the guest can finish without it', async () => {
  replyToFile = (name) => (name === 'bad.jpg' ? errorReply(415, 'This is no photo.') : undefined)
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [photo('bad.jpg'), photo('b.jpg')])
  await user.click(await findButton('Upload'))
  expect((await screen.findAllByText('1 sent, 1 failed.')).length).toBeGreaterThan(0)
  expect(screen.getByText('Upload Failed')).toBeTruthy()
  expect(screen.getAllByText('This is no photo.')).toHaveLength(2)
  await user.click(await findButton('Finish'))
  expect((await screen.findByText(/\/thank-you/)).textContent).toContain('"count":1')
})

test('When a file has failed, then Retry sends it again', async () => {
  replyToFile = () => errorReply(500, 'Something went wrong.')
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [photo('a.jpg'), photo('b.jpg')])
  await user.click(await findButton('Upload'))
  await findButton('Retry all')
  replyToFile = () => undefined
  await user.click(await findButton('Retry a.jpg'))
  expect(document.activeElement).toBe(screen.getAllByRole('listitem')[0])
  await waitFor(() => expect(screen.getAllByText('1 sent, 1 failed.').length).toBeGreaterThan(0))
  await user.click(await findButton('Retry b.jpg'))
  expect((await screen.findByText(/\/thank-you/)).textContent).toContain('"count":2')
})

const fullText =
  'There is no room for more photos and videos. Have more files? Send them to the host directly.'

test('When the event is full, then the file says so in the words of the server, and is not sent again', async () => {
  const message = 'This event has no room for more photos and videos.'
  replyToFile = (name) =>
    name === 'a.jpg'
      ? { status: 413, body: { message, code: 'quota_exceeded', requestId: '1' } }
      : { status: 201, body: { message: '', uploads: [], rejected: [{ code: 'quota_exceeded', message }] } }
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [photo('a.jpg'), photo('b.jpg')])
  await user.click(await findButton('Upload'))
  expect((await screen.findAllByText('0 sent, 2 failed.')).length).toBeGreaterThan(0)
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent)
  for (const row of rows) expect(row).toContain(message)
  expect(forms).toHaveLength(2)
  expect(screen.getByText(fullText)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Retry all' })).toBeNull()
  // The organisers may make room.
  expect(screen.getByRole('button', { name: 'Retry a.jpg' })).toBeTruthy()
})

test('When the event closes while files are being sent, then the page shows it, and how many were uploaded', async () => {
  replyToFile = (name) =>
    name === 'a.jpg' ? undefined : errorReply(410, 'This event no longer takes uploads.')
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [photo('a.jpg'), photo('b.jpg'), photo('c.jpg')])
  await user.click(await findButton('Upload'))
  expect(await screen.findByText('This event no longer takes uploads.')).toBeTruthy()
  expect(screen.getByText(/^1 file sent before that/)).toBeTruthy()
})

test('When the event closes while other forms are being sent, then the page waits for their answers, and sends no more', async () => {
  delayResponses = true
  replyToFile = (name) =>
    name === 'b.jpg' ? errorReply(410, 'This event no longer takes uploads.') : undefined
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(
    await findPicker(),
    ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'].map((name) => photo(name)),
  )
  await user.click(await findButton('Upload'))
  await waitFor(() => expect(forms).toHaveLength(3))
  act(() => sendResponses[1]?.())
  await waitFor(() => expect(screen.getAllByText('This event no longer takes uploads.')).toHaveLength(2))
  expect(isUnloadBlocked()).toBe(true)
  act(() => [sendResponses[0], sendResponses[2]].forEach((respond) => respond?.()))
  expect(await screen.findByText(/^2 files sent before that/)).toBeTruthy()
  expect(screen.getByText("2 files weren't sent.")).toBeTruthy()
  expect(forms).toHaveLength(3)
})

test.each([
  {
    state: 'is closed',
    reply: (): Reply => ({ status: 200, body: { ...event, uploadsOpen: false } }),
    heading: 'Harbour summer fair',
  },
  {
    state: 'does not exist any more',
    reply: () => errorReply(404, 'Event not found.'),
    heading: 'Event not found',
  },
])(
  'When files have failed and their event $state, then other pages no longer show them once the guest has seen that',
  async ({ reply, heading }) => {
    replyToFile = (name) => (name === 'a.jpg' ? undefined : errorReply(500, 'Something went wrong.'))
    const user = openPage()
    await user.type(await findNameField(), 'Table 4')
    await user.upload(await findPicker(), [photo('a.jpg'), photo('b.jpg')])
    await user.click(await findButton('Upload'))
    await findButton('Retry b.jpg')
    const openAnotherPage = () => {
      cleanup()
      render(<SendingNotice />, { wrapper: BrowserRouter })
      return screen
        .queryAllByRole('link', { name: 'Show files' })
        .filter((link) => link.getAttribute('href') === `/upload?eventId=${event._id}`)
    }
    expect(openAnotherPage()).toHaveLength(1)
    cleanup()
    replyToEvent = reply
    openPage()
    await screen.findByRole('heading', { name: heading })
    expect(openAnotherPage()).toEqual([])
  },
)

test('When a file of an unsupported type is selected, then it shows why and is not sent', async () => {
  const user = userEvent.setup({ applyAccept: false })
  openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [
    new File(['text'], 'notes.txt', { type: 'text/plain' }),
    photo('b.jpg'),
  ])
  expect(screen.getByText("This file type isn't supported.")).toBeTruthy()
  expect(screen.getByRole('heading', { name: /^1 file / })).toBeTruthy()
  await user.click(await findButton('Upload'))
  expect((await screen.findByText(/\/thank-you/)).textContent).toContain('"count":1')
  expect(forms).toHaveLength(1)
})

/** A file with the name of a photo and the bytes of an AVIF, which are read by `read`. */
const avifNamedPhoto = (read: (bytes: ArrayBuffer) => Promise<ArrayBuffer>): File => {
  const bytes = Uint8Array.from('\0\0\0\x18ftypavif', (character) => character.charCodeAt(0))
  return Object.assign(photo('a.jpg'), { slice: () => ({ arrayBuffer: () => read(bytes.buffer) }) })
}
const avifAdvice = "AVIF photos aren't supported. Please send the photo as a JPEG or PNG."

test('When a photo has the bytes of an AVIF, then the page says what to send instead, and does not send it', async () => {
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [avifNamedPhoto((bytes) => Promise.resolve(bytes)), photo('b.jpg')])
  expect(await screen.findByText(avifAdvice)).toBeTruthy()
  await user.click(await findButton('Upload'))
  expect((await screen.findByText(/\/thank-you/)).textContent).toContain('"count":1')
  expect(forms).toHaveLength(1)
})

test('When Upload is pressed before the first bytes of an AVIF are read, then it is not sent either', async () => {
  const reads: (() => void)[] = []
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(
    await findPicker(),
    avifNamedPhoto((bytes) => new Promise((resolve) => reads.push(() => resolve(bytes)))),
  )
  await user.click(await findButton('Upload'))
  await waitFor(() => expect(reads.length).toBeGreaterThan(0))
  act(() => reads.forEach((finish) => finish()))
  expect(await screen.findByText(avifAdvice)).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Sending 1 of 1')).toBeNull())
  expect(forms).toEqual([])
})

test('When a file is still being examined when the others have been sent, then the thank-you page names it, too', async () => {
  const reading = Promise.withResolvers<ArrayBuffer>()
  const plan = Object.assign(new File(['%PDF-1.7'], 'seating.pdf'), {
    slice: () => ({ arrayBuffer: () => reading.promise }),
  })
  const user = userEvent.setup({ applyAccept: false })
  openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [plan, photo('b.jpg')])
  await user.click(await findButton('Upload'))
  await screen.findByText('Sent')
  act(() => reading.resolve(new TextEncoder().encode('%PDF-1.7').buffer))
  const { textContent } = await screen.findByText(/\/thank-you/)
  expect(textContent).toContain(
    JSON.stringify([{ name: 'seating.pdf', reason: "This file type isn't supported." }]),
  )
})

test('When files wait that were added after others had failed, then Finish, which would remove them, is not offered', async () => {
  replyToFile = (name) => (name === 'bad.jpg' ? errorReply(500, 'Something went wrong.') : undefined)
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [photo('bad.jpg'), photo('b.jpg')])
  await user.click(await findButton('Upload'))
  await findButton('Finish')
  await user.upload(await screen.findByLabelText('Add more photos and videos'), photo('c.jpg'))
  expect(screen.queryByRole('button', { name: 'Finish' })).toBeNull()
  await user.click(await findButton('Remove c.jpg'))
  await user.click(await findButton('Finish'))
  await screen.findByText(/\/thank-you/)
})

test('When the server refuses some files and fails for others, then only those are sent again that it may accept', async () => {
  replyToFile = (name) =>
    name === 'refused.jpg' ? errorReply(415, 'This is no photo.') : errorReply(500, 'Something went wrong.')
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [photo('refused.jpg'), photo('a.jpg'), photo('b.jpg')])
  await user.click(await findButton('Upload'))
  await user.click(await findButton('Retry all'))
  await waitFor(() => expect(forms).toHaveLength(5))
  const sentAgain = forms.slice(3).map((form) => (form.get('media') as File).name)
  expect(sentAgain).toEqual(['a.jpg', 'b.jpg'])
  await findButton('Retry a.jpg')
  expect(screen.queryByRole('button', { name: 'Retry refused.jpg' })).toBeNull()
})

test('When the server refuses all files, then the page does not offer to send them again', async () => {
  replyToFile = () => errorReply(415, 'This is no photo.')
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [photo('a.jpg'), photo('b.jpg')])
  await user.click(await findButton('Upload'))
  await screen.findAllByText('0 sent, 2 failed.')
  expect(screen.queryByRole('button', { name: /^Retry/ })).toBeNull()
})

test('When the event is full already, then the page says so, and what the guest can do', async () => {
  replyToEvent = () => ({
    status: 200,
    body: { ...event, limits: { ...event.limits, remainingBytes: 0 } },
  })
  openPage()
  await screen.findByText(fullText)
})

test('When very many files are not sent, then the thank-you page gets their number, and the first 100 of them', async () => {
  const user = userEvent.setup({ applyAccept: false })
  openPage()
  await user.type(await findNameField(), 'Table 4')
  const notes = Array.from({ length: 101 }, (_, n) => new File(['text'], `${n}.txt`, { type: 'text/plain' }))
  await user.upload(await findPicker(), [...notes, photo('b.jpg')])
  await user.click(await findButton('Upload'))
  const { textContent } = await screen.findByText(/\/thank-you/)
  expect(textContent).toContain('"refusedCount":101')
  expect(textContent).toContain('"99.txt"')
  expect(textContent).not.toContain('"100.txt"')
})

test('When a file is removed, then the focus moves to the next one, and after the last to the picker', async () => {
  const user = openPage()
  await user.upload(await findPicker(), [photo('a.jpg'), photo('b.jpg'), photo('c.jpg')])
  await user.click(await findButton('Remove b.jpg'))
  expect(document.activeElement).toBe(await findButton('Remove c.jpg'))
  await user.click(await findButton('Remove c.jpg'))
  expect(document.activeElement).toBe(await findButton('Remove a.jpg'))
  await user.click(await findButton('Remove a.jpg'))
  expect(document.activeElement).toBe(await findPicker())
})

test('When a file is cancelled while it is being sent, then the focus moves to the next one, and the others are uploaded', async () => {
  delayResponses = true
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [photo('a.jpg'), photo('b.jpg'), photo('c.jpg'), photo('d.jpg')])
  await user.click(await findButton('Upload'))
  await waitFor(() => expect(forms).toHaveLength(3))
  await user.click(await findButton('Cancel d.jpg'))
  await user.click(await findButton('Cancel a.jpg'))
  expect(document.activeElement).toBe(await findButton('Cancel b.jpg'))
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
  expect(forms).toHaveLength(3)
  act(() => sendResponses.slice(1).forEach((respond) => respond()))
  expect((await screen.findByText(/\/thank-you/)).textContent).toContain('"count":2')
})

test('When the file whose Cancel has the focus is sent, then the focus stays at its row', async () => {
  delayResponses = true
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [photo('a.jpg'), photo('b.jpg'), photo('c.jpg')])
  await user.click(await findButton('Upload'))
  await user.click(await findButton('Cancel a.jpg'))
  expect(document.activeElement).toBe(await findButton('Cancel b.jpg'))
  await waitFor(() => expect(sendResponses).toHaveLength(3))
  act(() => sendResponses[1]?.())
  await screen.findByText('Sent')
  expect(document.activeElement).toBe(screen.getAllByRole('listitem')[0])
  act(() => sendResponses[2]?.())
  await screen.findByText(/\/thank-you/)
})

test('When the only file is cancelled, then others can be selected and sent', async () => {
  delayResponses = true
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), photo('a.jpg'))
  await user.click(await findButton('Upload'))
  await user.click(await findButton('Cancel a.jpg'))
  expect(document.activeElement).toBe(await findPicker())
  delayResponses = false
  await user.upload(await findPicker(), photo('b.jpg'))
  await user.click(await findButton('Upload'))
  expect((await screen.findByText(/\/thank-you/)).textContent).toContain('"count":1')
})

test('When Back is pressed while files are being sent, then the page asks for confirmation', async () => {
  delayResponses = true
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), photo('a.jpg'))
  await user.click(await findButton('Upload'))
  await screen.findByText('Sending 1 of 1')
  await waitFor(() => expect(sendResponses).toHaveLength(1))
  expect(isUnloadBlocked()).toBe(true)
  act(() => history.back())
  expect(await screen.findByRole('heading', { name: 'Leave while files are being sent?' })).toBeTruthy()
  expect(location.pathname).toBe('/upload')
  act(() => sendResponses.forEach((respond) => respond()))
  expect(await screen.findByText(/\/thank-you/)).toBeTruthy()
  expect(isUnloadBlocked()).toBe(false)
})

test('When the guest opens another page while files are being sent, then it shows the progress and is guarded until all are sent', async () => {
  const release = jest.fn(() => Promise.resolve())
  const request = jest.fn(() => Promise.resolve({ release }))
  Object.assign(navigator, { wakeLock: { request } })
  delayResponses = true
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), photo('a.jpg'))
  await user.click(await findButton('Upload'))
  await screen.findByText('Sending 1 of 1')
  await waitFor(() => expect(sendResponses).toHaveLength(1))
  cleanup()
  history.replaceState(null, '', '/')
  render(
    <BrowserRouter>
      <SendingNotice />
    </BrowserRouter>,
  )
  expect(await screen.findByText('Sending 1 of 1')).toBeTruthy()
  expect(isUnloadBlocked()).toBe(true)
  expect(request).toHaveBeenCalledTimes(1)
  expect(release).not.toHaveBeenCalled()

  act(() => sendResponses.forEach((respond) => respond()))
  const finish = await screen.findByRole('link', { name: 'Finish' })
  expect(finish.getAttribute('href')).toBe(`/upload?eventId=${event._id}`)
  expect(isUnloadBlocked()).toBe(false)
  expect(release).toHaveBeenCalledTimes(1)
})
