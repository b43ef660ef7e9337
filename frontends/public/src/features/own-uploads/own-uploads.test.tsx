import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import type { GuestUpload } from '@confetti/contracts'
import { closeToasts, renderPage, stubApi } from '../../test/harness.tsx'
import { OwnUploads } from './own-uploads.tsx'

const EVENT_ID = '0123456789abcdef01234567'
const LIST = 'GET /api/guest/uploads'

const upload = (number: number, changes: Partial<GuestUpload> = {}): GuestUpload => ({
  _id: String(number).padStart(24, '0'),
  originalName: `photo-${number}.jpg`,
  photoCredit: 'Table 4',
  uploadedAt: '2027-06-12T20:00:00.000Z',
  contentType: 'image/jpeg',
  size: 1_000,
  status: 'ready',
  visibility: 'visible',
  thumbnailUrl: `http://blob.test/${number}.webp`,
  ...changes,
})
const deletionOf = (number: number): string => `DELETE /api/guest/uploads/${upload(number)._id}`

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] })
})
afterEach(() => {
  cleanup()
  closeToasts()
  jest.useRealTimers()
})

const open = () => {
  renderPage(`/upload?eventId=${EVENT_ID}`, () => <OwnUploads eventId={EVENT_ID} hasGallery sentCount={0} />)
  return userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) })
}
const advance = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

test('When a guest has sent files, then each shows with its state', async () => {
  const { calls } = stubApi({
    [LIST]: () => ({
      body: { uploads: [upload(3, { visibility: 'pending' }), upload(2, { status: 'failed' }), upload(1)] },
    }),
  })
  open()
  await screen.findByText('photo-3.jpg')
  expect(rows()).toEqual([
    'photo-3.jpgWaiting for approvalTake back',
    "photo-2.jpgCouldn't be readTake back",
    'photo-1.jpgReadyTake back',
  ])
  expect(calls[0]?.authorization).toBeUndefined()
})

test('When a photo has arrived damaged, then the guest is asked to send it again', async () => {
  stubApi({ [LIST]: () => ({ body: { uploads: [upload(1, { isDamaged: true })] } }) })
  open()
  await screen.findByText('photo-1.jpg')
  expect(rows()).toEqual(['photo-1.jpgReadyA part of it is missing. Please send it again.Take back'])
})

test('When nothing was sent, then there is no section', async () => {
  stubApi({ [LIST]: () => ({ body: { uploads: [] } }) })
  open()
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Your photos' })).toBeNull())
})

test('When a file is being prepared, then the list loads again until it is ready', async () => {
  let status: GuestUpload['status'] = 'processing'
  const { requestsTo } = stubApi({ [LIST]: () => ({ body: { uploads: [upload(1, { status })] } }) })
  open()
  await screen.findByText('Being prepared')
  status = 'ready'
  await advance(4_000)
  await screen.findByText('Ready')
  await advance(60_000)
  expect(requestsTo(LIST)).toHaveLength(2)
})

test('When files are sent one after the other, then one request asks for all of them', async () => {
  const { requestsTo } = stubApi({ [LIST]: () => ({ body: { uploads: [upload(1)] } }) })
  const Page = () => {
    const [sentCount, setSentCount] = useState(1)
    return (
      <>
        <button type="button" onClick={() => setSentCount(sentCount + 1)}>
          Send
        </button>
        <OwnUploads eventId={EVENT_ID} hasGallery sentCount={sentCount} />
      </>
    )
  }
  renderPage(`/upload?eventId=${EVENT_ID}`, Page)
  await screen.findByText('photo-1.jpg')
  for (let sent = 0; sent < 5; sent += 1) {
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    await advance(300)
  }
  await advance(2_000)
  expect(requestsTo(LIST)).toHaveLength(2)
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await advance(2_000)
  expect(requestsTo(LIST)).toHaveLength(3)
})

test('When a file is taken back, then it is deleted after 30 seconds', async () => {
  const { requestsTo } = stubApi({
    [LIST]: () => ({ body: { uploads: [upload(2), upload(1)] } }),
    [deletionOf(2)]: () => ({ body: { message: 'Deleted' } }),
  })
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Take back photo-2.jpg' }))
  expect(document.activeElement?.textContent).toBe('Undo')
  await advance(29_000)
  expect(requestsTo(deletionOf(2))).toHaveLength(0)
  await advance(1_000)
  expect(requestsTo(deletionOf(2))).toHaveLength(1)
  await waitFor(() => expect(rows()).toEqual(['photo-1.jpgReadyTake back']))
})

test('When taking back is undone, then nothing is deleted', async () => {
  const { requestsTo } = stubApi({ [LIST]: () => ({ body: { uploads: [upload(1)] } }) })
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Take back photo-1.jpg' }))
  await user.click(screen.getByRole('button', { name: 'Undo taking back photo-1.jpg' }))
  await advance(31_000)
  expect(requestsTo(deletionOf(1))).toHaveLength(0)
  expect(rows()).toEqual(['photo-1.jpgReadyTake back'])
})

test('When the page is left before that, then the file is deleted at once', async () => {
  const { requestsTo } = stubApi({
    [LIST]: () => ({ body: { uploads: [upload(1)] } }),
    [deletionOf(1)]: () => ({ body: { message: 'Deleted' } }),
  })
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Take back photo-1.jpg' }))
  act(() => void window.dispatchEvent(new Event('pagehide')))
  expect(requestsTo(deletionOf(1))).toHaveLength(1)
  cleanup()
  expect(requestsTo(deletionOf(1))).toHaveLength(1)
})

test('When deleting fails, then the file shows again, with a notice', async () => {
  stubApi({
    [LIST]: () => ({ body: { uploads: [upload(1)] } }),
    [deletionOf(1)]: () => ({ status: 503, body: { message: 'Busy', code: 'busy' } }),
  })
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Take back photo-1.jpg' }))
  await advance(30_000)
  await screen.findByText("Couldn't take back photo-1.jpg. Try again.")
  expect(rows()).toEqual(['photo-1.jpgReadyTake back'])
})

test('When there are more files, then Show more lists them', async () => {
  let hasMore = true
  stubApi({
    [LIST]: () => ({
      body: hasMore ? { uploads: [upload(2)], nextCursor: 'x' } : { uploads: [upload(2), upload(1)] },
    }),
  })
  const user = open()
  const showMore = await screen.findByRole('button', { name: 'Show more' })
  hasMore = false
  await user.click(showMore)
  await screen.findByText('photo-1.jpg')
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Your photos' }))
})

test('When loading fails, then the section says so, and Retry loads it', async () => {
  let status = 503
  stubApi({
    [LIST]: () =>
      status === 200
        ? { body: { uploads: [upload(1)] } }
        : { status, body: { message: 'Busy', code: 'busy' } },
  })
  const user = open()
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getByText("Couldn't load your photos.")).toBeTruthy()
  status = 200
  await user.click(retry)
  await screen.findByText('photo-1.jpg')
})
