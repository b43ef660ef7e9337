import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { cloneElement } from 'react'
import type { Upload } from '@confetti/contracts'
import { loadCatalogues } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
import { Toaster } from '@confetti/ui/toaster'
import { scrollPage } from '../test/scroll-page.ts'
import { uploadFixture, uploadFixtures } from '../test/upload-fixture.ts'
import { PhotoGrid } from './photo-grid.tsx'
import { albumCatalogue } from './texts.ts'

await loadCatalogues([albumCatalogue, uiCatalogue])

const nothing: ReadonlySet<string> = new Set()

beforeEach(() => {
  window.scrollTo = () => undefined
})
afterEach(() => {
  cleanup()
  jest.restoreAllMocks()
})

const gridOf = (uploads: readonly Upload[]) => (
  <PhotoGrid
    uploads={uploads}
    isComplete
    arrivedIds={nothing}
    refresh={() => Promise.resolve([])}
    renewLinks={() => undefined}
    reload={() => Promise.reject(new Error('not called'))}
    createArchive={() => Promise.reject(new Error('not called'))}
  />
)
const names = (): (string | null)[] =>
  screen.queryAllByRole('button', { name: /^View/ }).map((button) => button.getAttribute('aria-label'))
const choose = (label: string, option: string) =>
  userEvent.selectOptions(screen.getByLabelText(label), option)

const uploads = [
  uploadFixture(3, { originalName: 'clip.mp4', photoCredit: 'The band' }),
  uploadFixture(2, { takenAt: '2027-06-12T18:00:00Z' }),
  uploadFixture(1, { photoCredit: 'The band', status: 'failed', takenAt: '2027-06-12T19:00:00Z' }),
]

test('When filters are chosen, then the photo grid shows and counts what matches, until they are reset', async () => {
  render(gridOf(uploads))
  expect(screen.queryByText(/^Showing/)).toBeNull()
  await choose('Guest', 'The band (2)')
  expect(names()).toEqual(['View clip.mp4', 'View photo-1.jpg'])
  expect(screen.getByText('Showing 2 of 3')).toBeTruthy()
  await choose('Type', 'Photos')
  expect(names()).toEqual(['View photo-1.jpg'])
  await choose('Status', 'Ready')
  expect(names()).toEqual([])
  expect(screen.getByText('No uploads match these filters.')).toBeTruthy()

  await userEvent.click(screen.getByRole('button', { name: 'Reset filters' }))
  expect(names()).toHaveLength(3)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Select' }))
})

test('When the order is by capture time, then the oldest is first', async () => {
  render(gridOf(uploads))
  expect(names()).toEqual(['View clip.mp4', 'View photo-2.jpg', 'View photo-1.jpg'])
  await choose('Order', 'Capture time')
  expect(names()).toEqual(['View photo-2.jpg', 'View photo-1.jpg', 'View clip.mp4'])
})

test('When the uploads of the chosen guest are deleted, then the photo grid is empty, and the choice stays', async () => {
  const { rerender } = render(gridOf(uploads))
  await choose('Guest', 'Table 4 (1)')
  rerender(gridOf(uploads.filter(({ photoCredit }) => photoCredit !== 'Table 4')))
  expect(screen.getByText('Showing 0 of 2')).toBeTruthy()
  expect(screen.getByLabelText<HTMLSelectElement>('Guest').value).toBe('Table 4')
})

test('When uploads arrive while the page is scrolled down, then only those that match are announced', async () => {
  const { rerender } = render(gridOf(uploadFixtures(100)))
  await choose('Guest', 'Table 4 (100)')
  scrollPage(1_000)
  rerender(gridOf([uploadFixture(102, { photoCredit: 'The band' }), ...uploadFixtures(101)]))
  expect(screen.getByRole('button', { name: '1 new' })).toBeTruthy()
  expect(screen.getByText('Showing 100 of 102')).toBeTruthy()
})

test('When the order is by capture time, then new uploads appear in their places, without a scroll to the top', async () => {
  let scrolls = 0
  window.scrollTo = () => {
    scrolls += 1
  }
  const { rerender } = render(gridOf(uploadFixtures(100)))
  await choose('Order', 'Capture time')
  scrollPage(1_000)
  scrolls = 0
  const cards = (): HTMLElement[] => screen.getAllByRole('listitem')
  const placeOf = (card: HTMLElement | undefined): number => Number(card?.getAttribute('aria-posinset'))
  const total = (): string | null | undefined => cards()[0]?.getAttribute('aria-setsize')
  // photo-1.jpg is the first one, photo-2.jpg the second one, and so on.
  const place = placeOf(cards()[1])
  const takenAt = uploadFixture(place).uploadedAt.replace('.000Z', 'Z')
  rerender(gridOf([uploadFixture(101, { takenAt }), ...uploadFixtures(100)]))
  expect(total()).toBe('100')
  await userEvent.click(screen.getByRole('button', { name: '1 new' }))
  expect(total()).toBe('101')
  expect(placeOf(screen.getByRole('button', { name: 'View photo-101.jpg' }).closest('li') ?? undefined)).toBe(
    place + 1,
  )
  expect(scrolls).toBe(0)
})

test('When new uploads show by capture time, then the focus stays in the place of their button', async () => {
  const { rerender } = render(gridOf(uploadFixtures(100)))
  await choose('Order', 'Capture time')
  scrollPage(1_000)
  rerender(gridOf(uploadFixtures(101)))
  await userEvent.click(screen.getByRole('button', { name: '1 new' }))
  expect(document.activeElement).toBe(screen.getByRole('status', { name: 'New uploads' }))
  const [firstCard] = screen.getAllByRole('listitem')
  await userEvent.tab()
  expect(document.activeElement?.closest('li')).toBe(firstCard)
})

test('When an upload gets ready while it is open under a status filter, then the viewer stays open', async () => {
  const listWith = (status: Upload['status']): Upload[] => [
    uploadFixture(3, { status: 'processing' }),
    uploadFixture(2, { status }),
    uploadFixture(1, { status: 'processing' }),
  ]
  const user = userEvent.setup()
  const { rerender } = render(gridOf(listWith('processing')))
  await choose('Status', 'Being prepared')
  await user.click(screen.getByRole('button', { name: 'View photo-2.jpg' }))
  rerender(gridOf(listWith('ready')))
  const dialog = within(screen.getByRole('dialog', { name: 'photo-2.jpg' }))
  expect(dialog.getByText('Hidden by the filter')).toBeTruthy()

  await user.keyboard('{ArrowRight}')
  expect(dialog.getByText('2 of 2')).toBeTruthy()
  expect(screen.getByRole('dialog', { name: 'photo-1.jpg' })).toBeTruthy()
  await user.keyboard('{Escape}')
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'View photo-1.jpg' })),
  )
})

test('When a guest is given another name, then all photos of the old one are asked for, and the filter follows', async () => {
  const asked: string[][] = []
  const listOf = (list: readonly Upload[]) => (
    <>
      {cloneElement(gridOf(list), {
        renameGuest: (from: string, to: string) => {
          asked.push([from, to])
          return Promise.resolve(2)
        },
      })}
      <Toaster />
    </>
  )
  const { rerender } = render(listOf(uploads))
  expect(screen.queryByRole('button', { name: 'Change name' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Order and filter' }))
  await choose('Guest', 'The band (2)')
  await userEvent.click(screen.getByRole('button', { name: 'Change name' }))
  const field = screen.getByLabelText('New name of this guest')
  await userEvent.clear(field)
  await userEvent.keyboard('{Enter}')
  expect(screen.getByText('Please enter a name.')).toBeTruthy()
  await userEvent.type(field, ' The Beatles {Enter}')
  expect(asked).toEqual([['The band', 'The Beatles']])
  expect(await screen.findByText('2 photos now have the name The Beatles.')).toBeTruthy()
  rerender(
    listOf(
      uploads.map((each) =>
        each.photoCredit === 'The band' ? { ...each, photoCredit: 'The Beatles' } : each,
      ),
    ),
  )
  expect(names()).toEqual(['View clip.mp4', 'View photo-1.jpg'])
})
