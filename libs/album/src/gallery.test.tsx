/** @jest-environment jsdom */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Upload } from '@confetti/contracts'
import { someUpload, someUploads } from '../test/some-upload.ts'
import { Gallery } from './gallery.tsx'

const refresh = jest.fn(() => Promise.resolve<readonly Upload[]>([]))
const nothing: ReadonlySet<string> = new Set()

beforeEach(() => {
  refresh.mockClear()
  window.scrollTo = () => undefined
})
afterEach(() => {
  cleanup()
  Object.defineProperty(window, 'scrollY', { value: 0, configurable: true })
})

/** A finger on the screen, which jsdom has no event for. */
const touch = (type: string, target: Element, clientX: number): void => {
  const event = new MouseEvent(type, { bubbles: true, clientX, clientY: 100 })
  fireEvent(target, Object.assign(event, { pointerType: 'touch', isPrimary: true }))
}

const galleryOf = (uploads: readonly Upload[], onDelete?: (upload: Upload) => void) => (
  <Gallery uploads={uploads} arrived={nothing} refresh={refresh} onDelete={onDelete} />
)
const cards = () => screen.getAllByRole('listitem')
const dialog = () => screen.getByRole('dialog')

test('When there are 2,000 uploads, then only those around the window are in the document', () => {
  render(galleryOf(someUploads(2_000)))
  expect(cards().length).toBeGreaterThan(3)
  expect(cards().length).toBeLessThan(40)
  expect(cards()[0]?.getAttribute('aria-setsize')).toBe('2000')
})

test('When a card shows, then it says whose photo it is and when it came', () => {
  const upload = someUpload(1)
  render(galleryOf([upload]))
  expect(screen.getByText('Credit: Table 4')).toBeTruthy()
  expect(screen.getByText(`Uploaded at: ${new Date(upload.uploadedAt).toLocaleString()}`)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Download photo-1.jpg' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull()
})

test('When deleting is offered, then the button tells which upload it is for', async () => {
  const onDelete = jest.fn()
  render(galleryOf(someUploads(3), onDelete))
  await userEvent.click(screen.getByRole('button', { name: 'Delete photo-2.jpg' }))
  expect(onDelete).toHaveBeenCalledWith(someUpload(2))
})

test.each(['clip.mp4', 'CLIP.MOV', 'quicktime'])(
  'When a file is called %s, then it plays',
  (originalName) => {
    render(galleryOf([someUpload(1, { originalName })]))
    const video = screen.getByLabelText(`Video ${originalName}`)
    expect(video.tagName).toBe('VIDEO')
    expect(video.getAttribute('src')).toBe(someUpload(1).url)
    expect(video.getAttribute('preload')).toBe('none')
  },
)

test('When a picture is being made, then something calm stands there, until it turns into the picture', () => {
  const coming = someUpload(1, { status: 'processing', thumbnailUrl: undefined, previewUrl: undefined })
  const { rerender } = render(galleryOf([coming]))
  expect(screen.getByText('Getting ready')).toBeTruthy()
  rerender(galleryOf([someUpload(1)]))
  expect(screen.getByAltText('photo-1.jpg').getAttribute('src')).toBe(someUpload(1).thumbnailUrl)
})

test('When no picture could be made, then the name stands there, and the original can be had', () => {
  render(galleryOf([someUpload(1, { status: 'failed', thumbnailUrl: undefined, previewUrl: undefined })]))
  const open = screen.getByRole('button', { name: 'View photo-1.jpg' })
  expect(within(open).getByText('photo-1.jpg')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Download photo-1.jpg' })).toBeTruthy()
})

test('When a picture does not come, then fresh links are asked for, and the picture comes with its new one', () => {
  const { rerender } = render(galleryOf([someUpload(1)]))
  fireEvent.error(screen.getByAltText('photo-1.jpg'))
  expect(refresh).toHaveBeenCalledTimes(1)
  expect(screen.queryByAltText('photo-1.jpg')).toBeNull()
  rerender(galleryOf([someUpload(1, { thumbnailUrl: 'http://blob.test/fresh.webp' })]))
  expect(screen.getByAltText('photo-1.jpg').getAttribute('src')).toBe('http://blob.test/fresh.webp')
})

test('When a video plays, then a fresh link does not begin it anew', () => {
  const clip = { originalName: 'clip.mp4' }
  const { rerender } = render(galleryOf([someUpload(1, clip)]))
  fireEvent.play(screen.getByLabelText('Video clip.mp4'))
  rerender(galleryOf([someUpload(1, { ...clip, url: 'http://blob.test/fresh' })]))
  expect(screen.getByLabelText('Video clip.mp4').getAttribute('src')).toBe(someUpload(1).url)

  fireEvent.error(screen.getByLabelText('Video clip.mp4'))
  expect(screen.getByLabelText('Video clip.mp4').getAttribute('src')).toBe('http://blob.test/fresh')
  expect(refresh).not.toHaveBeenCalled()
})

test('When a picture is opened, then keys go on and back, and closing leads to the card of the last one', async () => {
  const user = userEvent.setup()
  render(galleryOf(someUploads(4)))
  await user.click(screen.getByRole('button', { name: 'View photo-4.jpg' }))
  expect(within(dialog()).getByText('1 of 4')).toBeTruthy()
  expect(within(dialog()).getByAltText('photo-4.jpg').getAttribute('src')).toBe(someUpload(4).previewUrl)

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

test('When one goes back in the browser, then the large picture closes, and the page stays', async () => {
  const user = userEvent.setup()
  render(galleryOf(someUploads(2)))
  const address = location.href
  await user.click(screen.getByRole('button', { name: 'View photo-2.jpg' }))
  history.back()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(location.href).toBe(address)
})

test('When a finger swipes to the left, then the next one comes; a short move does nothing', async () => {
  render(galleryOf(someUploads(3)))
  await userEvent.click(screen.getByRole('button', { name: 'View photo-3.jpg' }))
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

test('When the upload that shows large is deleted elsewhere, then the dialog closes', async () => {
  const { rerender } = render(galleryOf(someUploads(3)))
  await userEvent.click(screen.getByRole('button', { name: 'View photo-2.jpg' }))
  rerender(galleryOf(someUploads(3).filter(({ originalName }) => originalName !== 'photo-2.jpg')))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('When the card with the focus goes away, then the one that takes its place has it', async () => {
  const { rerender } = render(galleryOf(someUploads(4)))
  act(() => screen.getByRole('button', { name: 'Download photo-3.jpg' }).focus())
  rerender(galleryOf(someUploads(4).filter(({ originalName }) => originalName !== 'photo-3.jpg')))
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'View photo-2.jpg' })),
  )
})

test('When new ones come while one reads further down, then they wait until one is at the top again', () => {
  const scrollTo = (y: number): void => {
    Object.defineProperty(window, 'scrollY', { value: y, configurable: true })
    act(() => {
      window.dispatchEvent(new Event('scroll'))
    })
  }
  const { rerender } = render(galleryOf(someUploads(100)))
  scrollTo(1_000)
  const before = cards().map((card) => card.textContent)
  rerender(galleryOf(someUploads(103)))
  expect(cards().map((card) => card.textContent)).toEqual(before)
  expect(screen.getByRole('button', { name: '3 new' })).toBeTruthy()

  scrollTo(0)
  expect(screen.queryByRole('button', { name: '3 new' })).toBeNull()
  expect(screen.getByRole('button', { name: 'View photo-103.jpg' })).toBeTruthy()
})
