import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createQueryClient } from '@confetti/federation/query-client'
import { BrowserRouter, useRoutes } from '@confetti/federation/router'
import { loadCatalogues } from '@confetti/i18n'
import { initSession } from '@confetti/session'
import { Toaster } from '@confetti/ui/toaster'
import { EventReview } from './event-review.tsx'
import { EventPhotos } from './event-photos.tsx'
import { catalogues } from '../texts.ts'

await loadCatalogues(catalogues)

const EVENT_ID = '66aa00000000000000000001'
const LIST = `/api/myevents/uploads/${EVENT_ID}`
const upload = (number: number, visibility: string) => ({
  _id: String(number).padStart(24, '0'),
  eventId: EVENT_ID,
  url: `http://blob.test/${number}`,
  filename: `${EVENT_ID}/photo-${number}.jpg`,
  originalName: `photo-${number}.jpg`,
  photoCredit: 'Table 4',
  uploadedAt: '2027-06-12T20:00:00.000Z',
  contentType: 'image/jpeg',
  size: 1_000,
  sha256: 'a'.repeat(64),
  status: 'ready',
  visibility,
})

const event = { _id: EVENT_ID, name: 'Garden wedding', settings: {}, uploadUrl: 'http://site.test/upload' }

let uploads: ReturnType<typeof upload>[]
let changes: { call: string; body: unknown; keepalive: boolean | undefined }[]

beforeEach(() => {
  uploads = [upload(2, 'pending'), upload(1, 'visible')]
  changes = []
  window.scrollTo = () => undefined
  globalThis.fetch = ((address: string, { method = 'GET', body, keepalive }: RequestInit) => {
    const { pathname } = new URL(address)
    if (method !== 'GET')
      changes.push({
        call: `${method} ${pathname}`,
        body: typeof body === 'string' ? JSON.parse(body) : undefined,
        keepalive,
      })
    const responseBody = pathname === LIST ? { uploads } : event
    const text = () => Promise.resolve(JSON.stringify(responseBody))
    return Promise.resolve({ ok: true, status: 200, text, headers: new Map() })
  }) as unknown as typeof fetch
})
afterEach(cleanup)

const Routes = () =>
  useRoutes([
    { path: '/myevents/:eventId', element: <EventPhotos /> },
    { path: '/myevents/:eventId/review', element: <EventReview /> },
  ])
const open = () => {
  initSession({ brand: 'Confetti', apiUrl: 'http://api.test' })
  window.history.pushState(null, '', `/myevents/${EVENT_ID}`)
  render(
    <QueryClientProvider client={createQueryClient()}>
      <BrowserRouter>
        <Routes />
        <Toaster />
      </BrowserRouter>
    </QueryClientProvider>,
  )
  return userEvent.setup()
}
/** Deletes an upload by the menu of its card. */
const deleteUpload = async (user: ReturnType<typeof open>, name: string): Promise<void> => {
  await user.click(await screen.findByRole('button', { name: `More for ${name}` }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
}
const visibilityOf = (number: number, visibility: string) => ({
  call: `POST ${LIST}/visibility`,
  body: { uploadIds: [upload(number, '')._id], visibility },
  keepalive: undefined,
})

test('When an organiser deletes an upload, then it is hidden at once, and Undo shows it again', async () => {
  const user = open()
  await deleteUpload(user, 'photo-1.jpg')
  expect(screen.queryByRole('button', { name: 'More for photo-1.jpg' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByRole('button', { name: 'More for photo-1.jpg' })
  await waitFor(() => expect(changes).toEqual([visibilityOf(1, 'hidden'), visibilityOf(1, 'visible')]))
})

test('When an organiser deletes an upload in its large view, then that closes, and Undo shows it again', async () => {
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'View photo-1.jpg' }))
  await user.click(await screen.findByRole('button', { name: 'Delete photo-1.jpg' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByRole('button', { name: 'View photo-1.jpg' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await screen.findByRole('button', { name: 'View photo-1.jpg' })
  await waitFor(() => expect(changes).toEqual([visibilityOf(1, 'hidden'), visibilityOf(1, 'visible')]))
})

test('When the page is left after that, then the upload is deleted by a request that outlives it', async () => {
  const user = open()
  await deleteUpload(user, 'photo-1.jpg')
  cleanup()
  const deletion = { call: `DELETE ${LIST}/${upload(1, '')._id}`, body: undefined, keepalive: true }
  await waitFor(() => expect(changes).toContainEqual(deletion))
})

test('When selected uploads are deleted, then one call hides them, and one undo shows each as it was', async () => {
  const user = open()
  await user.click(await screen.findByRole('button', { name: 'Select' }))
  await user.click(screen.getByRole('button', { name: 'Select all shown' }))
  await user.click(screen.getByRole('button', { name: 'Delete 2' }))
  await screen.findByText('2 files deleted. You can undo this for 30 seconds.')
  expect(screen.queryByRole('checkbox')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  const both = {
    ...visibilityOf(2, 'hidden'),
    body: { uploadIds: [upload(2, '')._id, upload(1, '')._id], visibility: 'hidden' },
  }
  await waitFor(() => expect(changes).toEqual([both, visibilityOf(1, 'visible'), visibilityOf(2, 'pending')]))
})

test('When uploads wait for approval, then the page leads to their review', async () => {
  const user = open()
  await user.click(await screen.findByRole('link', { name: 'Review 1' }))
  await screen.findByText('1 waiting · 0 reviewed')
  await user.keyboard('a')
  await waitFor(() => expect(changes).toEqual([visibilityOf(2, 'visible')]))
})

test('When nothing has been sent yet, then the page shows the QR code', async () => {
  uploads = []
  open()
  await screen.findByText('No uploads found for this event.')
  expect(await screen.findByTitle('QR code of the upload link of Garden wedding')).toBeTruthy()
})
