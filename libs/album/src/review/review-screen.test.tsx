import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ApiError } from '@confetti/api-client'
import { UNDO_MS, type Upload, type UploadVisibility } from '@confetti/contracts'
import { loadCatalogues } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
import { Toaster } from '@confetti/ui/toaster'
import { serveLive } from '../../test/serve-live.ts'
import { pageOf, uploadFixture, uploadFixtures } from '../../test/upload-fixture.ts'
import { albumCatalogue } from '../texts.ts'
import type { ModerationCalls } from '../moderation.tsx'
import { useUploads, type ListPage } from '../use-uploads.ts'
import { ReviewScreen } from './review-screen.tsx'

await loadCatalogues([albumCatalogue, uiCatalogue])

// A server with the uploads of one event, newest first.
let stored: Upload[]
let failure: Error | undefined
let deletions: { id: string; keepalive: boolean | undefined }[]

const calls: ModerationCalls = {
  setVisibility: (ids, visibility) => {
    if (failure) return Promise.reject(failure)
    stored = stored.map((upload) => (ids.includes(upload._id) ? { ...upload, visibility } : upload))
    return Promise.resolve()
  },
  deleteUpload: (id, options) => {
    deletions.push({ id, keepalive: options?.keepalive })
    stored = stored.filter(({ _id }) => _id !== id)
    return Promise.resolve()
  },
}
const listPage: ListPage = (query) => Promise.resolve(pageOf(stored, query))

const Page = ({ apiUrl }: { apiUrl?: string }) => (
  <ReviewScreen uploads={useUploads('event', { listPage, ...(apiUrl && { apiUrl }) })} calls={calls} />
)

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] })
  failure = undefined
  deletions = []
  stored = [3, 2, 1].map((number) => uploadFixture(number, { visibility: 'pending' }))
})
afterEach(() => {
  cleanup()
  jest.useRealTimers()
})

const open = async ({ apiUrl }: { apiUrl?: string } = {}) => {
  const view = render(
    <QueryClientProvider client={new QueryClient()}>
      <Page {...(apiUrl && { apiUrl })} />
      <Toaster />
    </QueryClientProvider>,
  )
  await screen.findByRole('button', { name: 'Approve' })
  return { ...view, user: userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) }) }
}
const advance = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
const dispatch = (target: EventTarget, type: string) =>
  act(() => {
    target.dispatchEvent(new Event(type))
    return Promise.resolve()
  })
const showsPhoto = (number: number) => screen.findByAltText(`photo-${number}.jpg`)
const visibilities = (): (UploadVisibility | undefined)[] => stored.map(({ visibility }) => visibility)

test('When keys are pressed, then uploads are approved and hidden one after the other, oldest first', async () => {
  const { user } = await open()
  await showsPhoto(1)
  expect(screen.getByText('3 waiting · 0 reviewed')).toBeTruthy()
  await user.keyboard('a')
  await showsPhoto(2)
  await user.keyboard('H')
  await showsPhoto(3)
  await user.keyboard('a')
  await screen.findByText('Nothing is waiting for approval.')
  await waitFor(() => expect(visibilities()).toEqual(['visible', 'hidden', 'visible']))
})

test('When a decision is undone, then its upload waits again and shows', async () => {
  const { user } = await open()
  await user.keyboard('a')
  await showsPhoto(2)
  await user.keyboard('z')
  await showsPhoto(1)
  await waitFor(() => expect(visibilities()).toEqual(['pending', 'pending', 'pending']))
  expect(screen.getByText('3 waiting · 0 reviewed')).toBeTruthy()
})

test('When an upload is deleted, then it is hidden at once, and deleted 30 seconds later', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  await showsPhoto(2)
  await waitFor(() => expect(visibilities()).toEqual(['pending', 'pending', 'hidden']))
  await advance(UNDO_MS - 1_000)
  expect(deletions).toEqual([])
  await advance(2_000)
  expect(deletions).toEqual([{ id: uploadFixture(1)._id, keepalive: false }])
  expect(screen.getByRole('button', { name: 'Undo' }).getAttribute('aria-disabled')).toBe('true')
})

test('When a deletion is undone, then nothing is deleted, and the upload waits again', async () => {
  const { user } = await open()
  await user.keyboard('d')
  await showsPhoto(2)
  await user.keyboard('z')
  await showsPhoto(1)
  await advance(UNDO_MS)
  expect(deletions).toEqual([])
  expect(visibilities()).toEqual(['pending', 'pending', 'pending'])
})

test('When the page is left, then what was deleted is deleted by a request that outlives it', async () => {
  const { user, unmount } = await open()
  await user.keyboard('d')
  await showsPhoto(2)
  unmount()
  expect(deletions).toEqual([{ id: uploadFixture(1)._id, keepalive: true }])
})

test('When the page is hidden or closed, then what was deleted is deleted by a request that outlives it', async () => {
  const { user } = await open()
  const hide = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await user.keyboard('d')
  await showsPhoto(2)
  await dispatch(document, 'visibilitychange')
  hide.mockRestore()
  expect(deletions).toEqual([{ id: uploadFixture(1)._id, keepalive: true }])
  await user.keyboard('d')
  await showsPhoto(3)
  await dispatch(document, 'visibilitychange')
  expect(deletions).toHaveLength(1)
  await dispatch(window, 'pagehide')
  expect(deletions.slice(1)).toEqual([{ id: uploadFixture(2)._id, keepalive: true }])
})

test('When all of a guest are approved, then the next guest follows, and one undo takes all back', async () => {
  stored = [uploadFixture(4, { visibility: 'pending', photoCredit: 'Aunt Marta' }), ...stored]
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Approve all 3 of Table 4' }))
  await showsPhoto(4)
  await waitFor(() => expect(visibilities()).toEqual(['pending', 'visible', 'visible', 'visible']))
  await user.keyboard('z')
  await waitFor(() => expect(visibilities()).toEqual(['pending', 'pending', 'pending', 'pending']))
  await showsPhoto(1)
})

test('When all of a guest are hidden, then the next guest follows, and one undo takes all back', async () => {
  stored = [uploadFixture(4, { visibility: 'pending', photoCredit: 'Aunt Marta' }), ...stored]
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Hide all 3 of Table 4' }))
  await showsPhoto(4)
  await waitFor(() => expect(visibilities()).toEqual(['pending', 'hidden', 'hidden', 'hidden']))
  await screen.findByText('1 waiting · 3 reviewed')
  expect(screen.queryByRole('button', { name: /^Hide all/ })).toBeNull()
  await user.keyboard('z')
  await waitFor(() => expect(visibilities()).toEqual(['pending', 'pending', 'pending', 'pending']))
  await showsPhoto(1)
})

test('When another organiser decides about an old upload, then it leaves the queue; a reported one joins it', async () => {
  const live = serveLive()
  stored = uploadFixtures(40).map((upload) => ({ ...upload, visibility: 'pending' }))
  stored = stored.map((upload) =>
    upload._id === uploadFixture(9)._id ? { ...upload, visibility: 'visible' } : upload,
  )
  const { user } = await open({ apiUrl: 'https://api.example.test' })
  await showsPhoto(1)
  await advance(1)

  const changeElsewhere = async (number: number, visibility: UploadVisibility) => {
    const { _id: uploadId } = uploadFixture(number)
    await calls.setVisibility([uploadId], visibility)
    live.send({ name: 'upload.hidden', uploadId })
  }
  await changeElsewhere(1, 'hidden')
  await advance(3_000)
  await showsPhoto(2)
  await user.keyboard('a')
  await waitFor(() => expect(visibilities().slice(-3)).toEqual(['pending', 'visible', 'hidden']))
  await screen.findByText('37 waiting · 1 reviewed')
  await changeElsewhere(9, 'pending')
  await advance(3_000)
  await screen.findByText('38 waiting · 1 reviewed')
})

test('When an upload arrives, then it joins the end of the queue; one that is being prepared is counted', async () => {
  await open()
  stored = [
    uploadFixture(5, { visibility: 'pending', status: 'processing' }),
    uploadFixture(4, { visibility: 'pending' }),
    ...stored,
  ]
  await advance(6_000)
  await screen.findByText('5 waiting · 0 reviewed · 1 being prepared')
  await showsPhoto(1)
})

test('When all that waits is still being prepared, then the page says so, with the same count', async () => {
  stored = [2, 1].map((number) => uploadFixture(number, { visibility: 'pending', status: 'processing' }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>,
  )
  await screen.findByText('2 photos are being prepared.')
  expect(screen.getByText('2 waiting · 0 reviewed · 2 being prepared')).toBeTruthy()
  expect(screen.queryByText('Nothing is waiting for approval.')).toBeNull()
})

test('When a change fails, then its upload waits again, and a notice says why', async () => {
  const { user } = await open()
  failure = new ApiError(503, { code: 'busy', message: 'The server is busy.' })
  await user.keyboard('a')
  await screen.findByText('The server is busy.')
  await screen.findByText('3 waiting · 0 reviewed')
})

test('When a finger swipes to the right or left, then the upload is approved or hidden', async () => {
  await open()
  const swipe = (by: number): void => {
    const target = document.querySelector('img') ?? document.body
    for (const [type, clientX] of [
      ['pointerdown', 200],
      ['pointermove', 200 + by],
      ['pointerup', 200 + by],
    ] as const)
      fireEvent(
        target,
        Object.assign(new MouseEvent(type, { bubbles: true, clientX, clientY: 100 }), {
          pointerType: 'touch',
          isPrimary: true,
        }),
      )
  }
  swipe(120)
  await showsPhoto(2)
  swipe(-120)
  await showsPhoto(3)
  await waitFor(() => expect(visibilities()).toEqual(['pending', 'hidden', 'visible']))
})
