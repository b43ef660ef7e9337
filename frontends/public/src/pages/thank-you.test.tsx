import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { BrowserRouter } from '@confetti/federation/router'
import { loadCatalogues } from '@confetti/i18n'
import { guestCatalogues } from '../texts.ts'

const confetti = jest.fn()
jest.unstable_mockModule('canvas-confetti', () => ({ default: confetti }))
const { ThankYou } = await import('../features/thank-you/thank-you.tsx')
await loadCatalogues(guestCatalogues)

const thankYouState = { count: 3, eventId: 'abc', eventName: 'Harbour summer fair', credit: 'Table 4' }

const openPage = (): void => {
  render(
    <BrowserRouter>
      <ThankYou />
    </BrowserRouter>,
  )
}
const setHistoryState = (state: unknown): void =>
  history.replaceState({ usr: state, key: 'k', idx: 0 }, '', '/thank-you')

beforeEach(() => {
  confetti.mockClear()
})
afterEach(cleanup)

test('When a guest has uploaded files, then the page shows their number, event and credit, and a link to send more', () => {
  setHistoryState(thankYouState)
  openPage()
  expect(screen.getByRole('heading', { name: 'Thank You!' })).toBeTruthy()
  expect(screen.getByText('Your files have been uploaded successfully.')).toBeTruthy()
  expect(screen.getByText('3 files for Harbour summer fair, from Table 4.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Send more' }).getAttribute('href')).toBe('/upload?eventId=abc')
  expect(screen.getByRole('link', { name: 'Go to Home' }).getAttribute('href')).toBe('/')
})

test('When a guest has uploaded files, then the page leads to them, and to the gallery if the event has one', () => {
  setHistoryState(thankYouState)
  openPage()
  expect(screen.getByRole('link', { name: 'Your photos' }).getAttribute('href')).toBe(
    '/upload?eventId=abc#your-photos',
  )
  expect(screen.queryByRole('link', { name: "See everyone's photos" })).toBeNull()
  cleanup()
  setHistoryState({ ...thankYouState, hasGallery: true })
  openPage()
  expect(screen.getByRole('link', { name: "See everyone's photos" }).getAttribute('href')).toBe(
    '/gallery?eventId=abc',
  )
})

test('When the gallery opens later, or organisers approve photos first, then the page says so', () => {
  setHistoryState({
    ...thankYouState,
    hasGallery: true,
    revealAt: '2999-07-15T18:00:00.000Z',
    timeZone: 'Europe/Berlin',
    moderation: 'approve',
  })
  openPage()
  expect(screen.getByText('The gallery opens on Monday, 15 July 2999 at 20:00.')).toBeTruthy()
  expect(screen.getByText('The organisers check photos and videos before others see them.')).toBeTruthy()
  expect(screen.queryByRole('link', { name: "See everyone's photos" })).toBeNull()
})

test('When files were not sent, then the page names each with its reason', () => {
  setHistoryState({
    ...thankYouState,
    refused: [
      { name: 'seating.pdf', reason: "This file type isn't supported." },
      { name: 'empty.jpg', reason: 'The file is empty.' },
    ],
  })
  openPage()
  expect(screen.getByText("2 files weren't sent.")).toBeTruthy()
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    "seating.pdfThis file type isn't supported.",
    'empty.jpgThe file is empty.',
  ])
  cleanup()
  setHistoryState({
    ...thankYouState,
    refused: [{ name: 'empty.jpg', reason: 'The file is empty.' }],
    refusedCount: 101,
  })
  openPage()
  expect(screen.getByText("101 files weren't sent.")).toBeTruthy()
})

test('When the page is reloaded, then it shows the same, but no confetti', async () => {
  setHistoryState(thankYouState)
  openPage()
  await waitFor(() => expect(confetti).toHaveBeenCalled())
  expect(confetti).toHaveBeenCalledWith(expect.objectContaining({ disableForReducedMotion: true, zIndex: 0 }))
  confetti.mockClear()
  cleanup()
  openPage()
  expect(screen.getByText(/^3 files/)).toBeTruthy()
  await new Promise((resolve) => setTimeout(resolve))
  expect(confetti).not.toHaveBeenCalled()
})

test('When a visitor opens the page directly, then it shows neither numbers nor confetti', async () => {
  setHistoryState(null)
  openPage()
  expect(screen.getByRole('heading', { name: 'Thank You!' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Send more' })).toBeNull()
  await new Promise((resolve) => setTimeout(resolve))
  expect(confetti).not.toHaveBeenCalled()
})
