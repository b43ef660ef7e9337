import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { BrowserRouter, useLocation, useRoutes } from '@confetti/federation/router'
import { loadCatalogues } from '@confetti/i18n'
import { initSession } from '@confetti/session'
import { Toaster } from '@confetti/ui/toaster'
import { getFileKey, openUnsentStore, type Rejection } from '@confetti/guest-storage'
import { GATHER_COMPLETIONS_MS } from '../features/upload/direct/upload-calls.ts'
import { guestCatalogues } from '../texts.ts'
import { Upload } from './upload.tsx'

await loadCatalogues(guestCatalogues)

// The upload page on a server with direct uploads. The API and blob storage are replaced at the network.

const UPLOAD_ID = 'aaaaaaaaaaaaaaaaaaaaaaaa'

let eventNumber = 0
let eventId: string
let limits: object
let eventState: 'open' | 'closed' | 'deleted'
let calls: { path: string; body: Record<string, unknown> }[]
let puts: string[]

/** Whether the event is closed when the page requests a ticket. */
let closesOnTicket: boolean

/** What guests agree to, as the page is told, and the version that the server demands. */
let consent: { text: string; url?: string; version: string } | undefined
let demandedVersion: string | undefined

/** Whether the server demands a pass for the event. */
let demandsPass: boolean

/** Why the server creates no tickets. */
let ticketRejection: { code: string; message: string } | undefined

const ticketFor = () => ({
  outcome: 'send',
  ticket: 'signed',
  uploadId: UPLOAD_ID,
  expiresAt: '2027-06-12T10:00:00Z',
  transfer: { kind: 'single', url: 'http://storage.test/blob', headers: { 'x-ms-blob-type': 'BlockBlob' } },
})
const respond = (
  path: string,
  body: Record<string, unknown>,
  hasPass: boolean,
): { status: number; body: unknown } => {
  if (path.endsWith('/passes'))
    return { status: 201, body: { pass: 'pass-1', expiresAt: '2099-01-01T00:00:00.000Z' } }
  const needsPass = !path.endsWith('/completions') && !path.endsWith('/resumptions')
  if (demandsPass && needsPass && !hasPass)
    return {
      status: 404,
      body: {
        code: 'pin_required',
        message: 'Please enter the PIN.',
        details: { name: 'Harbour summer fair' },
      },
    }
  if (path.endsWith('/tickets') && closesOnTicket)
    return { status: 410, body: { code: 'event_closed', message: 'Uploads are closed.' } }
  if (path.endsWith('/tickets') && demandedVersion && body.consentVersion !== demandedVersion)
    return { status: 400, body: { code: 'consent_required', message: 'Please agree first.' } }
  if (path.endsWith('/tickets')) {
    const files = body.files as unknown[]
    const rejected = ticketRejection && { outcome: 'rejected', ...ticketRejection }
    return { status: 201, body: { tickets: files.map(() => rejected ?? ticketFor()) } }
  }
  if (path.endsWith('/resumptions')) return { status: 200, body: { tickets: [ticketFor()] } }
  if (path === '/api/guest/uploads') return { status: 200, body: { uploads: [] } }
  if (path.endsWith('/completions'))
    return { status: 201, body: { message: 'Thanks.', uploads: [{ uploadId: UPLOAD_ID }], rejected: [] } }
  if (eventState === 'deleted')
    return { status: 404, body: { code: 'event_not_found', message: 'Event not found.' } }
  const event = {
    _id: eventId,
    name: 'Harbour summer fair',
    description: 'Stalls, boats and the band on the pier.',
    startDate: '2027-06-12',
    endDate: '2027-06-14',
    uploadsOpen: eventState === 'open',
    uploadsCloseAt: '2027-07-15T00:00:00.000Z',
    limits,
    consent,
  }
  return { status: 200, body: event }
}
interface Init {
  body?: string
  headers?: Record<string, string>
}
const mockFetch = (url: string, { body = '{}', headers = {} }: Init = {}): Promise<unknown> => {
  const { pathname } = new URL(url)
  const parsed = JSON.parse(body) as Record<string, unknown>
  if (pathname.startsWith('/api/uploads')) calls.push({ path: pathname, body: parsed })
  const reply = respond(pathname, parsed, headers['X-Event-Pass'] === 'pass-1')
  return Promise.resolve({
    ok: reply.status < 400,
    status: reply.status,
    headers: new Headers(),
    text: () => Promise.resolve(JSON.stringify(reply.body)),
  })
}

class FakeRequest {
  upload: { onprogress?: (event: object) => void } = {}
  status = 201
  onload?: () => void
  onloadend?: () => void
  private target = ''
  open(method: string, url: string): void {
    this.target = `${method} ${url}`
  }
  setRequestHeader(): void {
    // The tests do not check the headers.
  }
  abort(): void {
    this.onloadend?.()
  }
  send(body: File): void {
    puts.push(`${this.target} ${body.name}`)
    queueMicrotask(() => {
      this.onload?.()
      this.onloadend?.()
    })
  }
}

const CurrentLocation = () => <output>{useLocation().pathname}</output>
const Pages = () =>
  useRoutes([
    { path: '/upload', element: <Upload /> },
    { path: '*', element: <CurrentLocation /> },
  ])
const openPage = (query = '') => {
  history.pushState(null, '', `/upload?eventId=${eventId}${query}`)
  render(
    <BrowserRouter>
      <Pages />
      <Toaster />
    </BrowserRouter>,
  )
  return userEvent.setup()
}
const photo = (name: string): File =>
  new File(['bytes of ' + name], name, { type: 'image/jpeg', lastModified: 1 })
const findNameField = () => screen.findByLabelText('Your Name (Photo Credit)')
const findPicker = () => screen.findByLabelText<HTMLInputElement>('Add photos and videos')
const findButton = (name: string) => screen.findByRole('button', { name })
const callPaths = (): string[] => calls.map(({ path }) => path.slice('/api/uploads/'.length))

interface Unsent {
  hasBytes: boolean
  isStarted?: boolean
  rejection?: Rejection
}

/** Stores a file as a visit that was closed before it was sent. */
const storeUnsent = async (file: File, { hasBytes, isStarted = true, rejection }: Unsent): Promise<void> => {
  const { name, type, size, lastModified } = file
  const key = getFileKey(eventId, file)
  const store = await openUnsentStore(Date.now)
  const ticket = { ticket: 'signed', credit: 'Table 4', uploadId: UPLOAD_ID, isSent: false }
  await store.add({
    ...{ key, eventId, name, type, size, lastModified, storedAt: Date.now(), tabId: 'closed tab', rejection },
    ...(isStarted && { credit: 'Table 4', ticket }),
  })
  if (hasBytes) await store.addBytes(key, new Blob(['bytes of ' + name]))
  localStorage.setItem('hasUnsentFiles', '1')
}

const listUnsent = async (): Promise<string[]> => {
  const { records } = await (await openUnsentStore(Date.now)).list(eventId)
  return records.map(({ name }) => name).sort()
}

beforeEach(() => {
  eventNumber += 1
  eventId = eventNumber.toString(16).padStart(24, '0')
  limits = { maxFileBytes: 1_048_576, types: ['image/jpeg', 'image/png'] }
  eventState = 'open'
  closesOnTicket = false
  consent = undefined
  demandedVersion = undefined
  demandsPass = false
  calls = []
  puts = []
  ticketRejection = undefined
  localStorage.clear()
  Object.assign(globalThis, {
    fetch: mockFetch,
    structuredClone: (value: unknown) => value,
    XMLHttpRequest: FakeRequest,
    IntersectionObserver: class {
      observe = jest.fn()
      unobserve = jest.fn()
    },
  })
  initSession({ brand: 'Confetti', apiUrl: 'http://localhost:3001' })
})
const startTimer = globalThis.setTimeout
afterEach(() => {
  globalThis.setTimeout = startTimer
  cleanup()
})

test('When a photo is sent, then its bytes go to blob storage, and the calls have its name, size and credit', async () => {
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), photo('a.jpg'))
  await user.click(await findButton('Upload'))
  await screen.findByText('/thank-you')
  expect(puts).toEqual(['PUT http://storage.test/blob a.jpg'])
  expect(callPaths()).toEqual(['tickets', 'completions'])
  expect(calls[0]?.body).toMatchObject({
    eventId,
    photoCredit: 'Table 4',
    files: [{ name: 'a.jpg', size: 14 }],
  })
  expect(calls[1]?.body).toEqual({ tickets: ['signed'] })
})

test('When several photos are sent, then one call gets their tickets, and one completes them', async () => {
  // However slow the machine is, the files are waited for: the last one ends it.
  globalThis.setTimeout = ((handler: () => void, ms?: number) =>
    startTimer(handler, ms === GATHER_COMPLETIONS_MS ? 60_000 : ms)) as typeof setTimeout
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(
    await findPicker(),
    ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'].map((name) => photo(name)),
  )
  await user.click(await findButton('Upload'))
  await screen.findByText('/thank-you')
  expect(puts).toHaveLength(5)
  expect(callPaths()).toEqual(['tickets', 'completions'])
  expect(calls.map(({ body }) => [body.files, body.tickets].flat().filter(Boolean).length)).toEqual([5, 5])
})

test('When the event is full, then the file says so in the words of the server, and no bytes are sent', async () => {
  const message = 'This event has no room for more photos and videos.'
  ticketRejection = { code: 'quota_exceeded', message }
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), photo('a.jpg'))
  await user.click(await findButton('Upload'))
  expect((await screen.findAllByText(message)).length).toBeGreaterThan(0)
  expect((await screen.findAllByText('0 sent, 1 failed.')).length).toBeGreaterThan(0)
  expect(callPaths()).toEqual(['tickets'])
  expect(puts).toEqual([])
})

test('When a file is above the limit of the event or of a type that it does not accept, then it is refused when chosen', async () => {
  const user = userEvent.setup({ applyAccept: false })
  openPage()
  await user.upload(await findPicker(), [
    new File([new Uint8Array(1_048_577)], 'huge.jpg', { type: 'image/jpeg' }),
    new File(['video'], 'clip.mp4', { type: 'video/mp4' }),
  ])
  expect(await screen.findByText('This file is larger than 1 MB.')).toBeTruthy()
  expect(screen.getByText("This file type isn't supported.")).toBeTruthy()
  expect(calls).toEqual([])
})

test('When an earlier visit was sending a file, then it continues with its ticket', async () => {
  await storeUnsent(photo('a.jpg'), { hasBytes: true })
  localStorage.setItem('photoCredit', 'Table 4')
  openPage()
  await screen.findByText('/thank-you')
  expect(puts).toEqual(['PUT http://storage.test/blob a.jpg'])
  expect(callPaths()).toEqual(['resumptions', 'completions'])
  await waitFor(async () => {
    const { records } = await (await openUnsentStore(Date.now)).list(eventId)
    expect(records).toEqual([])
  })
})

test('When an earlier visit left a file without its bytes, then it continues when the guest chooses it again', async () => {
  await storeUnsent(photo('a.jpg'), { hasBytes: false })
  localStorage.setItem('photoCredit', 'Table 4')
  const user = openPage()
  expect(await screen.findByText('To continue, choose the same files again.')).toBeTruthy()
  await user.upload(await findPicker(), photo('a.jpg'))
  expect(screen.queryByText('1 file still to send')).toBeNull()
  await user.click(await findButton('Upload'))
  await screen.findByText('/thank-you')
  expect(callPaths()).toEqual(['resumptions', 'completions'])
})

test('When a file was chosen in an earlier visit, then it waits in the list until Upload is pressed', async () => {
  await storeUnsent(photo('a.jpg'), { hasBytes: true, isStarted: false })
  const user = openPage()
  expect(await screen.findByText('1 file still to send')).toBeTruthy()
  expect(screen.getByText('a.jpg')).toBeTruthy()
  expect(calls).toEqual([])
  await user.type(await findNameField(), 'Table 5')
  await user.click(await findButton('Upload'))
  await screen.findByText('/thank-you')
  expect(calls[0]?.body).toMatchObject({ photoCredit: 'Table 5', files: [{ name: 'a.jpg' }] })
})

test('When the event seemed full at the next visit, then a file of an earlier visit waits all the same', async () => {
  limits = { ...limits, remainingBytes: 0 }
  await storeUnsent(photo('a.jpg'), { hasBytes: true, isStarted: false })
  const user = openPage()
  expect(await screen.findByText('1 file still to send')).toBeTruthy()
  await user.type(await findNameField(), 'Table 5')
  await user.click(await findButton('Upload'))
  await screen.findByText('/thank-you')
})

test('When the service worker was refused a file, then the next visit says why, and the one after it does not', async () => {
  const rejection = { status: 413, code: 'quota_exceeded', message: 'This event has no room.' }
  await storeUnsent(photo('a.jpg'), { hasBytes: true, rejection })
  openPage()
  expect((await screen.findAllByText('This event has no room.')).length).toBeGreaterThan(0)
  expect(calls).toEqual([])
  await waitFor(async () => {
    const { records } = await (await openUnsentStore(Date.now)).list(eventId)
    expect(records).toEqual([])
  })
})

test('When unsent files are discarded, then they are gone, and the focus moves to the picker', async () => {
  await storeUnsent(photo('a.jpg'), { hasBytes: true, isStarted: false })
  const user = openPage()
  await user.click(await findButton('Discard'))
  expect(screen.queryByText('1 file still to send')).toBeNull()
  expect(document.activeElement).toBe(await findPicker())
  await waitFor(async () => {
    const { records } = await (await openUnsentStore(Date.now)).list(eventId)
    expect(records).toEqual([])
  })
})

test.each(['closed', 'deleted'] as const)(
  'When the event is %s, then its page says how many files were not sent, until the guest discards them',
  async (state) => {
    eventState = state
    const rejection = { status: 410, code: 'event_closed', message: 'Uploads are closed.' }
    await storeUnsent(photo('refused.jpg'), { hasBytes: true, rejection })
    await storeUnsent(photo('left.jpg'), { hasBytes: true })
    await storeUnsent(photo('without bytes.jpg'), { hasBytes: false })
    const user = openPage()
    expect(await screen.findByText("3 files weren't sent.")).toBeTruthy()
    expect(calls).toEqual([])
    await user.click(await findButton('Discard'))
    expect(screen.queryByText("3 files weren't sent.")).toBeNull()
    await waitFor(async () => {
      const { records } = await (await openUnsentStore(Date.now)).list(eventId)
      expect(records).toEqual([])
    })
  },
)

test('When the event closes while files of an earlier visit are being sent, then the page says how many were not sent', async () => {
  await storeUnsent(photo('a.jpg'), { hasBytes: true, isStarted: false })
  closesOnTicket = true
  const user = openPage()
  await user.type(await findNameField(), 'Table 5')
  await user.click(await findButton('Upload'))
  expect(await screen.findByText("1 file wasn't sent.")).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull()
})

test('When some shared files could not be stored, then the page says how many, and a reload does not say it again', async () => {
  openPage('&shared=1&notShared=2')
  expect(await screen.findByText("2 shared files couldn't be added. Please choose them again.")).toBeTruthy()
  expect(location.search).toBe(`?eventId=${eventId}&shared=1`)
})

const agreed = { text: 'You may show my photos.', url: 'https://example.org/terms', version: 'first' }
const findBox = (text = agreed.text) => screen.findByRole<HTMLInputElement>('checkbox', { name: text })

test('When the event asks for consent, then nothing is sent without it, and it is asked for once', async () => {
  consent = agreed
  demandedVersion = agreed.version
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), photo('a.jpg'))
  await user.click(await findButton('Upload'))
  const box = await findBox()
  expect(document.activeElement).toBe(box)
  expect(box.getAttribute('aria-invalid')).toBe('true')
  expect(box.getAttribute('aria-describedby')).toBe(
    screen.getByText('Please tick this box before you send.').id,
  )
  expect(screen.getByText('Read the terms').getAttribute('href')).toBe(agreed.url)
  expect(calls).toEqual([])
  await user.click(box)
  expect(screen.queryByText('Please tick this box before you send.')).toBeNull()
  await user.click(await findButton('Upload'))
  await screen.findByText('/thank-you')
  expect(calls[0]?.body.consentVersion).toBe('first')
  cleanup()

  openPage()
  expect((await findBox()).checked).toBe(true)
})

test('When what guests agree to changes while the page is open, then it asks again, and keeps the files', async () => {
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [photo('a.jpg'), photo('b.jpg')])
  consent = agreed
  demandedVersion = agreed.version
  await user.click(await findButton('Upload'))
  const box = await findBox()
  expect(box.checked).toBe(false)
  await screen.findByText('Please tick this box before you send.')
  expect(puts).toEqual([])
  await waitFor(async () => expect(await listUnsent()).toEqual(['a.jpg', 'b.jpg']))
  await user.click(box)
  await user.click(await findButton('Upload'))
  await screen.findByText('/thank-you')
  expect(puts).toHaveLength(2)
})

test('When the service worker was refused because the consent has changed, then the file waits until the guest agrees', async () => {
  consent = agreed
  demandedVersion = agreed.version
  const rejection = { status: 400, code: 'consent_required', message: 'Please agree first.' }
  await storeUnsent(photo('a.jpg'), { hasBytes: true, rejection })
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await screen.findByText('a.jpg')
  expect(await listUnsent()).toEqual(['a.jpg'])
  expect(calls).toEqual([])
  await user.click(await findBox())
  await user.click(await findButton('Upload'))
  await screen.findByText('/thank-you')
})

test('When a PIN is set while files are being sent, then they wait until the guest has entered it, and are sent then', async () => {
  const user = openPage()
  await user.type(await findNameField(), 'Table 4')
  await user.upload(await findPicker(), [photo('a.jpg'), photo('b.jpg')])
  demandsPass = true
  await user.click(await findButton('Upload'))
  const field = await screen.findByLabelText('PIN')
  expect(screen.getByRole('heading', { name: 'Harbour summer fair' })).toBeTruthy()
  screen.getByText('Your photos and videos are kept, and are sent once you have entered it.')
  expect(puts).toEqual([])
  await waitFor(async () => expect(await listUnsent()).toEqual(['a.jpg', 'b.jpg']))
  await user.type(field, 'Tulip42')
  await user.click(await findButton('Open event'))
  await screen.findByText('/thank-you')
  expect(puts).toHaveLength(2)
  expect(screen.queryByLabelText('PIN')).toBeNull()
})

test('When the service worker was refused because a PIN was set, then the file is sent once the guest has entered it', async () => {
  demandsPass = true
  const rejection = { status: 404, code: 'pin_required', message: 'Please enter the PIN.' }
  await storeUnsent(photo('a.jpg'), { hasBytes: true, rejection })
  const user = openPage()
  await user.type(await screen.findByLabelText('PIN'), 'Tulip42')
  expect(await listUnsent()).toEqual(['a.jpg'])
  await user.click(await findButton('Open event'))
  await screen.findByText('/thank-you')
  expect(puts).toHaveLength(1)
})
