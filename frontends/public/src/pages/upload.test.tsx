/** @jest-environment jsdom */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { BrowserRouter, useLocation, useRoutes } from '@confetti/federation/router'
import { openSession } from '@confetti/session'
import { Toaster } from '@confetti/ui/toaster'
import { readEventEarly } from '../features/upload/event-api.ts'
import { Upload } from './upload.tsx'

// The network's edge: what the server answers to the event, and to each file by its name.
type Reply = { status: number; body: unknown; retryAfter?: string } | 'no answer'

const event = {
  _id: '0123456789abcdef01234567',
  name: 'Harbour summer fair',
  description: 'Stalls, boats and the band on the pier.',
  startDate: '2027-06-12',
  endDate: '2027-06-14',
  uploadsOpen: true,
  uploadsCloseAt: '2027-07-15T00:00:00.000Z',
}
const arrived: Reply = {
  status: 201,
  body: { message: 'Thanks.', uploads: [{ duplicate: false }], rejected: [] },
}
const refused = (status: number, message: string): Reply => ({
  status,
  body: { message, code: 'any', requestId: '1' },
})

let replyToEvent: () => Reply
let replyToFile: (name: string) => Reply | undefined
let forms: FormData[]
let answerHeld: (() => void)[]

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
    // Where it goes is the client's business.
  }
  setRequestHeader(): void {
    // As above.
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
    const answer = (): void => {
      const reply = replyToFile(name) ?? arrived
      if (reply === 'no answer') this.onerror?.()
      else {
        this.status = reply.status
        this.retryAfter = reply.retryAfter
        this.responseText = JSON.stringify(reply.body)
        this.upload.onprogress?.({ loaded: size, total: size })
        this.onload?.()
      }
      this.onloadend?.()
    }
    answerHeld.push(answer)
    if (!held) queueMicrotask(answer)
  }
}
let held: boolean

let asked: number

const fetchEvent = (): Promise<unknown> => {
  asked += 1
  const reply = replyToEvent()
  if (reply === 'no answer') return Promise.reject(new TypeError('Failed to fetch'))
  return Promise.resolve({
    ok: reply.status < 400,
    status: reply.status,
    headers: new Headers(),
    text: () => Promise.resolve(JSON.stringify(reply.body)),
  })
}

const Where = () => {
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
    { path: '*', element: <Where /> },
  ])

// Each test has an event of its own: what is being sent outlives the page.
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
const photo = (name: string): File =>
  new File(['bytes of ' + name], name, { type: 'image/jpeg', lastModified: 1 })
const nameField = () => screen.findByLabelText('Your Name (Photo Credit)')
const picker = () => screen.findByLabelText<HTMLInputElement>('Add photos and videos')
const press = (name: string) => screen.findByRole('button', { name })

beforeEach(() => {
  eventNumber += 1
  event._id = eventNumber.toString(16).padStart(24, '0')
  replyToEvent = () => ({ status: 200, body: { ...event, event } })
  replyToFile = () => undefined
  forms = []
  answerHeld = []
  held = false
  asked = 0
  localStorage.clear()
  Object.assign(globalThis, {
    fetch: fetchEvent,
    XMLHttpRequest: FakeRequest,
    IntersectionObserver: class {
      observe = jest.fn()
      unobserve = jest.fn()
    },
  })
  openSession({ brand: 'Confetti', apiUrl: 'http://localhost:3001' })
})
afterEach(cleanup)

test('When the link names no event, then a page says so, and a notice', async () => {
  openPage('')
  expect(await screen.findByRole('heading', { name: 'Which event is it?' })).toBeTruthy()
  expect(await screen.findByText('Event ID is missing.')).toBeTruthy()
})

test('When nobody knows the event, then a page says so', async () => {
  replyToEvent = () => refused(404, 'Event not found.')
  openPage()
  expect(await screen.findByRole('heading', { name: 'There is no such event.' })).toBeTruthy()
})

test('When the event takes no more, then a page says since when', async () => {
  replyToEvent = () => ({ status: 200, body: { ...event, uploadsOpen: false } })
  openPage()
  expect(await screen.findByText(/closed on 14 July 2027/)).toBeTruthy()
  expect(screen.queryByLabelText('Add photos and videos')).toBeNull()
})

test('When the event does not come, then Retry brings it', async () => {
  replyToEvent = () => 'no answer'
  const user = openPage()
  const retry = await press('Retry')
  replyToEvent = () => ({ status: 200, body: event })
  await user.click(retry)
  expect(await screen.findByRole('heading', { name: 'Harbour summer fair' })).toBeTruthy()
  expect(screen.getByText('12 – 14 June 2027')).toBeTruthy()
})

test('When the event does not come, then it comes by itself with the connection', async () => {
  replyToEvent = () => 'no answer'
  openPage()
  await press('Retry')
  replyToEvent = () => ({ status: 200, body: event })
  act(() => void window.dispatchEvent(new Event('online')))
  expect(await screen.findByRole('heading', { name: 'Harbour summer fair' })).toBeTruthy()
})

test('When the event was asked for while the code was on its way, then it is not asked for again', async () => {
  history.pushState(null, '', `/upload?eventId=${event._id}`)
  readEventEarly()
  openPage()
  expect(await screen.findByRole('heading', { name: 'Harbour summer fair' })).toBeTruthy()
  expect(asked).toBe(1)
})

test('When what was asked for early did not come, then the page says so', async () => {
  replyToEvent = () => 'no answer'
  history.pushState(null, '', `/upload?eventId=${event._id}`)
  readEventEarly()
  openPage()
  expect(await screen.findByRole('heading', { name: 'The event could not be loaded.' })).toBeTruthy()
})

test('When no file is chosen, then a notice says so and nothing is sent', async () => {
  const user = openPage()
  await user.type(await nameField(), 'Table 4')
  await user.click(await press('Upload'))
  expect(await screen.findByText('Please select at least one file.')).toBeTruthy()
  expect(forms).toEqual([])
})

test('When the name is blank, then the field says so and nothing is sent', async () => {
  const user = openPage()
  await user.upload(await picker(), photo('a.jpg'))
  await user.type(await nameField(), '   ')
  await user.click(await press('Upload'))
  expect(await screen.findByText('Photo credit name is required.')).toBeTruthy()
  expect(document.activeElement).toBe(await nameField())
  expect(forms).toEqual([])
})

test('When all has arrived, then thanks are said for as many, and the name is remembered', async () => {
  const user = openPage()
  await user.type(await nameField(), ' Table 4 ')
  await user.upload(await picker(), [photo('a.jpg'), photo('b.jpg')])
  await user.click(await press('Upload'))
  const where = await screen.findByText(/\/thank-you/)
  expect(where.textContent).toContain(
    JSON.stringify({ count: 2, eventId: event._id, eventName: event.name, credit: 'Table 4' }),
  )
  expect(screen.getByText('Media uploaded successfully.')).toBeTruthy()
  expect(forms.map((form) => [...form.keys()])).toEqual(Array(2).fill(['eventId', 'photoCredit', 'media']))
  cleanup()
  openPage()
  expect((await nameField()).getAttribute('value')).toBe('Table 4')
})

test('When one is refused, then it says why, the others arrive, and one can finish without it', async () => {
  replyToFile = (name) => (name === 'bad.jpg' ? refused(415, 'This is no photo.') : undefined)
  const user = openPage()
  await user.type(await nameField(), 'Table 4')
  await user.upload(await picker(), [photo('bad.jpg'), photo('b.jpg')])
  await user.click(await press('Upload'))
  expect((await screen.findAllByText('1 arrived, 1 did not.')).length).toBeGreaterThan(0)
  expect(screen.getByText('Upload Failed')).toBeTruthy()
  expect(screen.getAllByText('This is no photo.')).toHaveLength(2)
  await user.click(await press('Finish'))
  expect((await screen.findByText(/\/thank-you/)).textContent).toContain('"count":1')
})

test('When a file failed, then one tap sends it again', async () => {
  replyToFile = () => refused(500, 'Something went wrong.')
  const user = openPage()
  await user.type(await nameField(), 'Table 4')
  await user.upload(await picker(), [photo('a.jpg'), photo('b.jpg')])
  await user.click(await press('Upload'))
  await press('Retry all')
  replyToFile = () => undefined
  await user.click(await press('Retry a.jpg'))
  await waitFor(() => expect(screen.getAllByText('1 arrived, 1 did not.').length).toBeGreaterThan(0))
  await user.click(await press('Retry b.jpg'))
  expect((await screen.findByText(/\/thank-you/)).textContent).toContain('"count":2')
})

test('When the event closes meanwhile, then a page says so, and how many had arrived', async () => {
  replyToFile = (name) => (name === 'a.jpg' ? undefined : refused(410, 'This event no longer takes uploads.'))
  const user = openPage()
  await user.type(await nameField(), 'Table 4')
  await user.upload(await picker(), [photo('a.jpg'), photo('b.jpg'), photo('c.jpg')])
  await user.click(await press('Upload'))
  expect(await screen.findByText('This event no longer takes uploads.')).toBeTruthy()
  expect(screen.getByText(/^1 file of yours arrived/)).toBeTruthy()
})

test('When another kind of file is chosen, then it says why it stays, and is not sent', async () => {
  const user = userEvent.setup({ applyAccept: false })
  openPage()
  await user.type(await nameField(), 'Table 4')
  await user.upload(await picker(), [new File(['text'], 'notes.txt', { type: 'text/plain' }), photo('b.jpg')])
  expect(screen.getByText('This kind of file cannot be sent.')).toBeTruthy()
  await user.click(await press('Upload'))
  expect((await screen.findByText(/\/thank-you/)).textContent).toContain('"count":1')
  expect(forms).toHaveLength(1)
})

test('When a file is removed, then the focus goes to its neighbour, and at last to the picker', async () => {
  const user = openPage()
  await user.upload(await picker(), [photo('a.jpg'), photo('b.jpg'), photo('c.jpg')])
  await user.click(await press('Remove b.jpg'))
  expect(document.activeElement).toBe(await press('Remove c.jpg'))
  await user.click(await press('Remove c.jpg'))
  expect(document.activeElement).toBe(await press('Remove a.jpg'))
  await user.click(await press('Remove a.jpg'))
  expect(document.activeElement).toBe(await picker())
})

test('When Back is pressed while files are being sent, then it asks, and the form is there again', async () => {
  held = true
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
  const user = openPage()
  await user.type(await nameField(), 'Table 4')
  await user.upload(await picker(), photo('a.jpg'))
  await user.click(await press('Upload'))
  await screen.findByText('Sending 1 of 1')
  const leaving = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(leaving)
  expect(leaving.defaultPrevented).toBe(true)
  act(() => history.back())
  expect(await screen.findByRole('heading', { name: 'Leave while files are being sent?' })).toBeTruthy()
  expect(location.pathname).toBe('/upload')
  act(() => answerHeld.forEach((answer) => answer()))
  expect(await screen.findByText(/\/thank-you/)).toBeTruthy()
  const after = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(after)
  expect(after.defaultPrevented).toBe(false)
})
