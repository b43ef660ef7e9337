import { createRef } from 'react'
import { afterEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { loadCatalogues } from '@confetti/i18n'
import { guestCatalogues } from '../../texts.ts'
import { FilePicker } from './file-picker.tsx'
import { useChoosing } from './use-choosing.ts'

await loadCatalogues(guestCatalogues)

const onSelect = jest.fn<(files: readonly File[]) => void>()
afterEach(() => {
  cleanup()
  onSelect.mockClear()
  Reflect.deleteProperty(HTMLInputElement.prototype, 'capture')
})

const photo = new File(['bytes'], 'photo.jpg', { type: 'image/jpeg' })
const input = createRef<HTMLInputElement>()
const Page = () => {
  const [isPreparing, onChoosing] = useChoosing()
  return <FilePicker {...{ input, onSelect, isPreparing, onChoosing }} hasFiles={false} />
}
const openPage = () => {
  render(<Page />)
  return screen.getByLabelText<HTMLInputElement>('Add photos and videos')
}
/** Browsers of phones have the property. */
const addCamera = () =>
  Object.defineProperty(HTMLInputElement.prototype, 'capture', { value: '', configurable: true })
const getHint = (): string | null => screen.getByRole('status').textContent

test.each([
  ['files arrive', (picker: HTMLInputElement) => fireEvent.change(picker, { target: { files: [photo] } })],
  [
    'the picker is cancelled',
    (picker: HTMLInputElement) => fireEvent(picker, new Event('cancel', { bubbles: true })),
  ],
  ['files are dropped', () => fireEvent.drop(window, { dataTransfer: { types: ['Files'], files: [photo] } })],
])('When the picker is open, then the page says that the phone may need a moment, until %s', (_name, end) => {
  const picker = openPage()
  expect(getHint()).toBe('')
  fireEvent.click(picker)
  expect(getHint()).toBe('Your phone may need a moment to prepare the photos.')
  end(picker)
  expect(getHint()).toBe('')
})

test.each([
  ['the page gets the focus back', () => fireEvent.focus(window)],
  ['the page is shown again', () => fireEvent(document, new Event('visibilitychange'))],
  ['the guest touches the page', () => fireEvent.pointerDown(document.body)],
])(
  'When a browser does not say that the picker is cancelled, then choosing ends five minutes after %s, which files may take',
  (_name, giveFocusBack) => {
    jest.useFakeTimers()
    const pass = (ms: number): void =>
      act(() => {
        jest.advanceTimersByTime(ms)
      })
    try {
      fireEvent.click(openPage())
      pass(600_000)
      expect(getHint()).not.toBe('')
      giveFocusBack()
      pass(299_000)
      expect(getHint()).not.toBe('')
      pass(1_000)
      expect(getHint()).toBe('')
    } finally {
      jest.useRealTimers()
    }
  },
)

test('When the camera is opened and cancelled, then the page knows it, as of the picker', () => {
  addCamera()
  openPage()
  const camera = screen.getByLabelText<HTMLInputElement>('Take a photo')
  fireEvent.click(camera)
  expect(getHint()).not.toBe('')
  fireEvent(camera, new Event('cancel', { bubbles: true }))
  expect(getHint()).toBe('')
})

test('When a phone has a camera, then a photo that it takes is selected like others', async () => {
  addCamera()
  openPage()
  const camera = screen.getByLabelText<HTMLInputElement>('Take a photo')
  expect(camera.getAttribute('capture')).toBe('environment')
  await userEvent.upload(camera, photo)
  expect(onSelect.mock.calls).toEqual([[[photo]]])
})

test('When a browser cannot open a camera, then the page has no button for it', () => {
  openPage()
  expect(screen.queryByLabelText('Take a photo')).toBeNull()
})
