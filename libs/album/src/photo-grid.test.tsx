import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Upload } from '@confetti/contracts'
import { loadCatalogues } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
import { scrollPage } from '../test/scroll-page.ts'
import { uploadFixture, uploadFixtures } from '../test/upload-fixture.ts'
import { PhotoGrid } from './photo-grid.tsx'
import { albumCatalogue } from './texts.ts'

await loadCatalogues([albumCatalogue, uiCatalogue])

const renewLinks = jest.fn()
const nothing: ReadonlySet<string> = new Set()

beforeEach(() => {
  renewLinks.mockClear()
  window.scrollTo = () => undefined
})
afterEach(() => {
  cleanup()
  jest.restoreAllMocks()
})

/** Fires a touch event, which jsdom does not have. */
const touch = (type: string, target: Element, clientX: number): void => {
  const event = new MouseEvent(type, { bubbles: true, clientX, clientY: 100 })
  fireEvent(target, Object.assign(event, { pointerType: 'touch', isPrimary: true }))
}

const gridOf = (uploads: readonly Upload[], onDelete?: (chosen: readonly Upload[]) => void) => (
  <PhotoGrid
    uploads={uploads}
    isComplete
    arrivedIds={nothing}
    refresh={() => Promise.resolve([])}
    renewLinks={renewLinks}
    reload={() => Promise.reject(new Error('not called'))}
    createArchive={() => Promise.reject(new Error('not called'))}
    onDelete={onDelete}
    hasCardButtons
  />
)
const cards = () => screen.getAllByRole('listitem')
const dialog = () => screen.getByRole('dialog')
/** Opens the viewer, whose code is loaded when it is first opened. */
const open = async (name: string): Promise<void> => {
  await userEvent.click(screen.getByRole('button', { name: `View ${name}` }))
  await screen.findByRole('dialog')
}

test('When there are 2,000 uploads, then only the cards near the viewport are in the document', () => {
  render(gridOf(uploadFixtures(2_000)))
  expect(cards().length).toBeGreaterThan(3)
  expect(cards().length).toBeLessThan(40)
  expect(cards()[0]?.getAttribute('aria-setsize')).toBe('2000')
})

test('When a card shows, then it has the credit and the time of the upload', () => {
  const upload = uploadFixture(1)
  render(gridOf([upload]))
  expect(screen.getByText('Credit: Table 4')).toBeTruthy()
  expect(screen.getByText(`Uploaded at: ${new Date(upload.uploadedAt).toLocaleString()}`)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Download photo-1.jpg' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull()
})

test('When it is known when an upload was taken, then the viewer has the time on the clocks of the event', async () => {
  const taken = { takenAt: '2027-06-12T18:15:00+02:00', takenAtSource: 'exif' } as const
  render(gridOf([uploadFixture(1, taken)]))
  await open('photo-1.jpg')
  const time = new Date('2027-06-12T18:15:00Z').toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  expect(within(dialog()).getByText(`Taken: ${time}`)).toBeTruthy()
  expect(within(dialog()).queryByText('Time guessed')).toBeNull()
})

test('When a time is guessed and a photo is damaged, then badges say so', async () => {
  const changes = {
    takenAt: '2027-06-12T12:00:00+02:00',
    takenAtSource: 'name',
    isDamaged: true,
  } as const
  render(gridOf([uploadFixture(1, changes)]))
  expect(screen.getByText('Damaged')).toBeTruthy()
  await open('photo-1.jpg')
  expect(within(dialog()).getByText('Time guessed')).toBeTruthy()
  expect(within(dialog()).getByText('Damaged')).toBeTruthy()
})

test('When uploads can be deleted, then each delete button names its upload', async () => {
  const onDelete = jest.fn()
  render(gridOf(uploadFixtures(3), onDelete))
  await userEvent.click(screen.getByRole('button', { name: 'Delete photo-2.jpg' }))
  expect(onDelete).toHaveBeenCalledWith([uploadFixture(2)])
})

test.each(['clip.mp4', 'CLIP.MOV', 'quicktime'])(
  'When a file is called %s, then it shows in a video player',
  (originalName) => {
    render(gridOf([uploadFixture(1, { originalName })]))
    const video = screen.getByLabelText(`Video ${originalName}`)
    expect(video.tagName).toBe('VIDEO')
    expect(video.getAttribute('src')).toBe(uploadFixture(1).url)
    expect(video.getAttribute('preload')).toBe('none')
  },
)

test('When an upload is being processed, then a placeholder shows until its picture is ready', () => {
  const processing = uploadFixture(1, {
    status: 'processing',
    thumbnailUrl: undefined,
    previewUrl: undefined,
  })
  const { rerender } = render(gridOf([processing]))
  expect(screen.getByText('Being prepared', { selector: 'span' })).toBeTruthy()
  rerender(gridOf([uploadFixture(1)]))
  expect(screen.getByAltText('photo-1.jpg').getAttribute('src')).toBe(uploadFixture(1).thumbnailUrl)
})

test('When no picture could be made, then the card shows the name, and the original can be downloaded', () => {
  render(gridOf([uploadFixture(1, { status: 'failed', thumbnailUrl: undefined, previewUrl: undefined })]))
  const open = screen.getByRole('button', { name: 'View photo-1.jpg' })
  expect(within(open).getByText('photo-1.jpg')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Download photo-1.jpg' })).toBeTruthy()
})

test('When a picture fails to load, then the links are renewed, and the picture shows with its new link', () => {
  const { rerender } = render(gridOf([uploadFixture(1)]))
  fireEvent.error(screen.getByAltText('photo-1.jpg'))
  expect(renewLinks).toHaveBeenCalledTimes(1)
  expect(screen.queryByAltText('photo-1.jpg')).toBeNull()
  rerender(gridOf([uploadFixture(1, { thumbnailUrl: 'http://blob.test/fresh.webp' })]))
  expect(screen.getByAltText('photo-1.jpg').getAttribute('src')).toBe('http://blob.test/fresh.webp')
})

test('When a video plays, then a fresh link does not restart it', () => {
  const clip = { originalName: 'clip.mp4' }
  const { rerender } = render(gridOf([uploadFixture(1, clip)]))
  fireEvent.play(screen.getByLabelText('Video clip.mp4'))
  rerender(gridOf([uploadFixture(1, { ...clip, url: 'http://blob.test/fresh' })]))
  expect(screen.getByLabelText('Video clip.mp4').getAttribute('src')).toBe(uploadFixture(1).url)

  fireEvent.error(screen.getByLabelText('Video clip.mp4'))
  expect(screen.getByLabelText('Video clip.mp4').getAttribute('src')).toBe('http://blob.test/fresh')
  expect(renewLinks).not.toHaveBeenCalled()
})

test('When a video has a web rendition, then that is played', () => {
  render(gridOf([uploadFixture(1, { originalName: 'clip.mov', videoUrl: 'http://blob.test/1/video.mp4' })]))
  expect(screen.getByLabelText('Video clip.mov').getAttribute('src')).toBe('http://blob.test/1/video.mp4')
})

test('When a picture is opened, then keys navigate, and closing moves the focus to the card of the last one', async () => {
  const user = userEvent.setup()
  render(gridOf(uploadFixtures(4)))
  await open('photo-4.jpg')
  expect(within(dialog()).getByText('1 of 4')).toBeTruthy()
  expect(within(dialog()).getByAltText('photo-4.jpg').getAttribute('src')).toBe(uploadFixture(4).previewUrl)

  await user.keyboard('{ArrowRight}{ArrowRight}')
  expect(within(dialog()).getByText('3 of 4')).toBeTruthy()
  await user.keyboard('{ArrowLeft}')
  expect(within(dialog()).getByText('2 of 4')).toBeTruthy()
  await user.keyboard('{End}{ArrowRight}')
  expect(within(dialog()).getByText('4 of 4')).toBeTruthy()
  await user.keyboard('{Home}{ArrowLeft}')
  await user.click(screen.getByRole('button', { name: 'Next' }))
  expect(within(dialog()).getByText('photo-3.jpg')).toBeTruthy()

  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'View photo-3.jpg' })),
  )
})

test('When the browser goes back, then the viewer closes, and the page stays', async () => {
  render(gridOf(uploadFixtures(2)))
  const address = location.href
  await open('photo-2.jpg')
  history.back()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(location.href).toBe(address)
})

test('When a picture is opened while the browser still goes back from the last one, then it stays open', async () => {
  render(gridOf(uploadFixtures(2)))
  await open('photo-2.jpg')
  const isBack = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }))
  fireEvent.click(within(dialog()).getByRole('button', { name: 'Close' }))
  fireEvent.click(screen.getByRole('button', { name: 'View photo-1.jpg' }))
  await act(() => isBack)
  expect(within(dialog()).getByText('photo-1.jpg')).toBeTruthy()
})

test('When a finger swipes to the left, then the next picture shows; a short move does nothing', async () => {
  render(gridOf(uploadFixtures(3)))
  await open('photo-3.jpg')
  const swipe = (from: number, to: number): void => {
    const picture = within(dialog()).getByAltText(/photo/)
    touch('pointerdown', picture, from)
    touch('pointermove', picture, to)
    touch('pointerup', picture, to)
  }
  swipe(300, 280)
  expect(within(dialog()).getByText('1 of 3')).toBeTruthy()
  swipe(300, 180)
  expect(within(dialog()).getByText('2 of 3')).toBeTruthy()
  swipe(180, 300)
  expect(within(dialog()).getByText('1 of 3')).toBeTruthy()
})

test('When the upload in the viewer is deleted elsewhere, then the viewer closes', async () => {
  const { rerender } = render(gridOf(uploadFixtures(3)))
  await open('photo-2.jpg')
  rerender(gridOf(uploadFixtures(3).filter(({ originalName }) => originalName !== 'photo-2.jpg')))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('When the card with the focus is removed, then the card that takes its place gets the focus', async () => {
  const { rerender } = render(gridOf(uploadFixtures(4)))
  act(() => screen.getByRole('button', { name: 'Download photo-3.jpg' }).focus())
  rerender(gridOf(uploadFixtures(4).filter(({ originalName }) => originalName !== 'photo-3.jpg')))
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'View photo-2.jpg' })),
  )
})

test('When uploads arrive while the page is scrolled down, then they are deferred until it is at the top again', () => {
  const { rerender } = render(gridOf(uploadFixtures(100)))
  scrollPage(1_000)
  const before = cards().map((card) => card.textContent)
  rerender(gridOf(uploadFixtures(103)))
  expect(cards().map((card) => card.textContent)).toEqual(before)
  expect(screen.getByRole('button', { name: '3 new' })).toBeTruthy()

  scrollPage(0)
  expect(screen.queryByRole('button', { name: '3 new' })).toBeNull()
  expect(screen.getByRole('button', { name: 'View photo-103.jpg' })).toBeTruthy()
})
