import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { loadCatalogues, setLocale } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
import { uploadFixtures } from '../test/upload-fixture.ts'
import { PhotoGrid } from './photo-grid.tsx'

const nothing: ReadonlySet<string> = new Set()

// These tests need the direction of the language, not the album's texts in it.
beforeAll(async () => {
  window.scrollTo = () => undefined
  await loadCatalogues([uiCatalogue])
  await setLocale('he')
})
afterEach(() => {
  cleanup()
  jest.restoreAllMocks()
})
afterAll(() => setLocale('en'))

const open = () =>
  render(
    <PhotoGrid
      uploads={uploadFixtures(4)}
      isComplete
      arrivedIds={nothing}
      refresh={() => Promise.resolve([])}
      renewLinks={() => undefined}
      reload={() => Promise.resolve([])}
      createArchive={() => Promise.reject(new Error('not called'))}
    />,
  )
const opensPhoto = (number: number) => within(screen.getByRole('dialog')).getByAltText(`photo-${number}.jpg`)

test('When the language is written from right to left, then the left arrow and a swipe to the right show the next picture', async () => {
  const user = userEvent.setup()
  open()
  await user.click(screen.getByAltText('photo-4.jpg'))
  await screen.findByRole('dialog')
  await user.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(opensPhoto(2)).toBeTruthy()
  await user.keyboard('{ArrowRight}')
  const picture = opensPhoto(3)
  for (const [type, clientX] of [
    ['pointerdown', 100],
    ['pointermove', 220],
    ['pointerup', 220],
  ] as const)
    fireEvent(
      picture,
      Object.assign(new MouseEvent(type, { bubbles: true, clientX, clientY: 100 }), {
        pointerType: 'touch',
        isPrimary: true,
      }),
    )
  expect(opensPhoto(2)).toBeTruthy()
})

test('When the language is written from right to left, then the left arrow moves to the next card', async () => {
  const user = userEvent.setup()
  open()
  await user.click(screen.getByRole('button', { pressed: false }))
  const cards = screen.getAllByRole('checkbox')
  await user.tab()
  expect(document.activeElement).toBe(cards[0])
  await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowRight}')
  expect(document.activeElement).toBe(cards[1])
})

test('When the language is written from right to left, then the second card is on the left of the first', () => {
  // Wide enough for two columns.
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600)
  open()
  const [first, second] = screen.getAllByRole('listitem').map(({ style }) => style.transform)
  expect(first).toBe('translate(0px, 0px)')
  expect(second).toBe('translate(-308px, 0px)')
})
