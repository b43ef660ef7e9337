import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ApiError } from '@confetti/api-client'
import type { Archive, Upload } from '@confetti/contracts'
import { loadCatalogues } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
import { scrollPage } from '../test/scroll-page.ts'
import { uploadFixture, uploadFixtures } from '../test/upload-fixture.ts'
import { PhotoGrid } from './photo-grid.tsx'
import type { CreateArchive } from './archive-download.tsx'
import { albumCatalogue } from './texts.ts'

await loadCatalogues([albumCatalogue, uiCatalogue])

const archive: Archive = {
  url: 'http://api.test/api/archives/token/Event_party.zip',
  filename: 'Event_party.zip',
  files: 2,
  bytes: 2_000,
  expiresAt: '2027-06-13T20:00:00.000Z',
}
const nothing: ReadonlySet<string> = new Set()
let createArchive: jest.MockedFunction<CreateArchive>
let reload: jest.MockedFunction<() => Promise<readonly Upload[]>>

beforeEach(() => {
  createArchive = jest.fn<CreateArchive>().mockResolvedValue(archive)
  reload = jest.fn<() => Promise<readonly Upload[]>>().mockResolvedValue([])
  window.scrollTo = () => undefined
  globalThis.fetch = () =>
    Promise.resolve({ ok: true, status: 206, text: () => Promise.resolve('P') } as Response)
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
})
afterEach(() => {
  cleanup()
  jest.restoreAllMocks()
})

const gridOf = (uploads: readonly Upload[], isComplete = true) => (
  <PhotoGrid
    uploads={uploads}
    isComplete={isComplete}
    arrivedIds={nothing}
    refresh={() => Promise.resolve([])}
    renewLinks={() => undefined}
    reload={reload}
    createArchive={createArchive}
  />
)
const button = (name: string | RegExp): HTMLElement => screen.getByRole('button', { name })
const card = (number: number): HTMLElement =>
  screen.getByRole('checkbox', { name: new RegExp(`^photo-${number}\\.jpg from `) })
const selectedCards = (): (string | null)[] =>
  screen.queryAllByRole('checkbox', { checked: true }).map((each) => each.getAttribute('aria-label'))

/** Shows a photo grid in selection mode. */
const startSelecting = async (uploads: readonly Upload[] = uploadFixtures(6), isComplete = true) => {
  const user = userEvent.setup()
  const { rerender } = render(gridOf(uploads, isComplete))
  await user.click(button('Select'))
  return { user, update: (next: readonly Upload[]) => rerender(gridOf(next)) }
}

test('When cards are clicked in selection mode, then they are selected or deselected, and the rest can be downloaded', async () => {
  const { user } = await startSelecting()
  expect(screen.getByText('Select photos and videos to download.')).toBeTruthy()
  expect(button('Download 0 selected').getAttribute('aria-disabled')).toBe('true')
  await user.click(button('Download 0 selected'))
  for (const number of [5, 3, 2]) await user.click(card(number))
  await user.click(card(3))
  expect(selectedCards()).toEqual(['photo-5.jpg from Table 4', 'photo-2.jpg from Table 4'])
  expect(screen.getByText('2 selected, 0.1 MB.')).toBeTruthy()

  await user.click(button('Download 2 selected'))
  await waitFor(() => expect(createArchive).toHaveBeenCalledTimes(1))
  expect(createArchive.mock.calls[0]?.[0]).toEqual({
    uploadIds: [uploadFixture(5)._id, uploadFixture(2)._id],
    folders: 'none',
  })
})

test('When a card is clicked with Shift, then all from the last one to it are selected, in both directions', async () => {
  const { user } = await startSelecting()
  await user.click(card(4))
  await user.keyboard('{Shift>}')
  await user.click(card(2))
  expect(selectedCards()).toHaveLength(3)
  await user.click(card(6))
  await user.keyboard('{/Shift}')
  expect(selectedCards()).toEqual([6, 5, 4, 3, 2].map((number) => `photo-${number}.jpg from Table 4`))
})

test('When the keyboard is used, then arrows move, Space and Enter select, and Shift selects a range', async () => {
  const { user } = await startSelecting()
  expect(screen.getAllByRole('checkbox').filter(({ tabIndex }) => tabIndex === 0)).toEqual([card(6)])
  await user.tab()
  expect(document.activeElement).toBe(card(6))
  await user.keyboard('[Space]')
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.activeElement).toBe(card(4))
  await user.keyboard('{Shift>}[Space]{/Shift}')
  expect(selectedCards()).toHaveLength(3)
  await user.keyboard('{ArrowUp}{Enter}')
  expect(selectedCards()).toEqual(['photo-6.jpg from Table 4', 'photo-4.jpg from Table 4'])
  await user.keyboard('{End}')
  expect(document.activeElement).toBe(card(1))
  await user.keyboard('{Home}')
  expect(document.activeElement).toBe(card(6))
})

test('When Ctrl+A is pressed, then all shown are selected, and Escape leaves with the focus on the same upload', async () => {
  const { user } = await startSelecting()
  await user.keyboard('{Control>}a{/Control}')
  expect(selectedCards()).toHaveLength(6)
  act(() => card(3).focus())
  await user.keyboard('{Escape}')
  expect(screen.queryAllByRole('checkbox')).toEqual([])
  expect(screen.queryByRole('button', { name: /selected$/ })).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(button('View photo-3.jpg')))

  await user.click(button('Select'))
  expect(selectedCards()).toEqual([])
})

test('When Done is pressed, then selection mode ends, and its button has the focus', async () => {
  const { user } = await startSelecting()
  expect(button('Select').getAttribute('aria-pressed')).toBe('true')
  await user.click(button('Done'))
  expect(button('Select').getAttribute('aria-pressed')).toBe('false')
  expect(document.activeElement).toBe(button('Select'))
})

test('When one upload of a guest is selected, then all of the guest can be selected, and Clear deselects them', async () => {
  const { user } = await startSelecting([
    uploadFixture(4, { photoCredit: 'The band' }),
    uploadFixture(3),
    uploadFixture(2, { photoCredit: 'The band' }),
    uploadFixture(1),
  ])
  expect(screen.queryByRole('button', { name: /^Select all of/ })).toBeNull()
  await user.click(card(2))
  await user.click(button('Select all of The band'))
  expect(selectedCards()).toEqual(['photo-4.jpg from The band', 'photo-2.jpg from The band'])
  await user.click(button('Clear'))
  expect(selectedCards()).toEqual([])
})

test('When a range is selected with Shift, then the guest of the card selected last is offered', async () => {
  const { user } = await startSelecting([
    uploadFixture(3, { photoCredit: 'The band' }),
    uploadFixture(2),
    uploadFixture(1, { photoCredit: 'Anna' }),
  ])
  await user.click(card(3))
  await user.keyboard('{Shift>}')
  await user.click(card(2))
  expect(button('Select all of Table 4')).toBeTruthy()
  await user.click(card(1))
  await user.keyboard('{/Shift}')
  expect(selectedCards()).toHaveLength(3)
  expect(button('Select all of Anna')).toBeTruthy()
})

test('When a filter is set, then all of a guest includes what it hides, and all shown does not', async () => {
  const clip = { originalName: 'clip.mp4', photoCredit: 'The band' }
  const { user } = await startSelecting([
    uploadFixture(3, clip),
    uploadFixture(2, { photoCredit: 'The band' }),
    uploadFixture(1),
  ])
  await user.selectOptions(screen.getByLabelText('Type'), 'Photos')
  await user.click(button('Select all shown'))
  expect(button('Download 2 selected')).toBeTruthy()
  await user.click(button('Clear'))
  await user.click(card(2))
  await user.click(button('Select all of The band'))
  await user.selectOptions(screen.getByLabelText('Type'), 'All types')
  expect(selectedCards()).toEqual(['clip.mp4 from The band', 'photo-2.jpg from The band'])
})

test('When new uploads are deferred, then all of a guest includes them, and all shown does not', async () => {
  const { user, update } = await startSelecting(uploadFixtures(100))
  scrollPage(1_000)
  update(uploadFixtures(103))
  await user.click(button('Select all shown'))
  expect(button('Download 100 selected')).toBeTruthy()
  const [shownCard] = screen.getAllByRole('checkbox')
  if (shownCard) await user.click(shownCard)
  await user.click(button('Select all of Table 4'))
  expect(button('Download 103 selected')).toBeTruthy()
})

test('When the list is still loading, then only single cards can be selected', async () => {
  const { user, update } = await startSelecting(uploadFixtures(6), false)
  await user.click(card(6))
  await user.click(button('Select all shown'))
  await user.click(button('Select all of Table 4'))
  await user.keyboard('{Control>}a{/Control}')
  expect(selectedCards()).toEqual(['photo-6.jpg from Table 4'])
  for (const name of ['Select all shown', 'Select all of Table 4'])
    expect(button(name).getAttribute('aria-disabled')).toBe('true')

  update(uploadFixtures(8))
  await user.click(button('Select all of Table 4'))
  expect(button('Download 8 selected')).toBeTruthy()
})

test('When the filter hides selected uploads, then they stay selected, and the bar says so', async () => {
  const { user } = await startSelecting([uploadFixture(2, { photoCredit: 'The band' }), uploadFixture(1)])
  await user.click(card(1))
  await user.selectOptions(screen.getByLabelText('Guest'), 'The band')
  expect(screen.getByText('1 selected, 0.1 MB. 1 is hidden by the filter.')).toBeTruthy()
  await user.click(button('Select all of The band'))
  expect(button('Download 2 selected')).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('Type'), 'Videos')
  expect(screen.getByText('2 selected, 0.1 MB. 2 are hidden by the filter.')).toBeTruthy()
})

test('When a selected upload is deleted, then it leaves the selection', async () => {
  const { user, update } = await startSelecting()
  await user.click(card(5))
  await user.click(card(2))
  update(uploadFixtures(6).filter(({ _id }) => _id !== uploadFixture(5)._id))
  expect(selectedCards()).toEqual(['photo-2.jpg from Table 4'])
  expect(button('Download 1 selected')).toBeTruthy()
})

test('When more than 3,000 uploads are selected, then the bar says so, and they cannot be downloaded', async () => {
  const { user } = await startSelecting(uploadFixtures(3_001))
  await user.click(button('Select all shown'))
  expect(screen.getByText(/At most 3,000 can be downloaded at once/)).toBeTruthy()
  const download = button('Download 3,001 selected')
  expect(download.getAttribute('aria-disabled')).toBe('true')
  await user.click(download)
  expect(createArchive).not.toHaveBeenCalled()

  fireEvent.click(card(3_001))
  await user.click(button('Download 3,000 selected'))
  await waitFor(() => expect(createArchive.mock.calls[0]?.[0].uploadIds).toHaveLength(3_000))
})

test('When Escape is pressed during the preparation, then only the preparation is cancelled', async () => {
  createArchive.mockRejectedValue(
    new ApiError(503, { code: 'archive_preparing', message: '1 of 2 files are ready.' }, 60_000),
  )
  const { user } = await startSelecting()
  await user.click(card(5))
  await user.click(card(3))
  await user.click(button('Download 2 selected'))
  expect(await screen.findByText('1 of 2 files are ready.')).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(selectedCards()).toHaveLength(2)
  expect(button('Download 2 selected').getAttribute('aria-disabled')).toBe('false')
  await user.keyboard('{Escape}')
  expect(screen.queryAllByRole('checkbox')).toEqual([])
})

test('When a selected upload does not exist any more, then the list is loaded again', async () => {
  createArchive.mockRejectedValue(
    new ApiError(404, { code: 'upload_not_found', message: 'Some of the uploads do not exist any more.' }),
  )
  const { user } = await startSelecting()
  await user.click(card(5))
  await user.click(button('Download 1 selected'))
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
})
