import { createRef } from 'react'
import { afterEach, expect, jest, test } from '@jest/globals'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { loadCatalogues } from '@confetti/i18n'
import { guestCatalogues } from '../../texts.ts'
import { FilePicker } from './file-picker.tsx'

await loadCatalogues(guestCatalogues)

const onSelect = jest.fn<(files: readonly File[]) => void>()
afterEach(() => {
  cleanup()
  onSelect.mockClear()
  Reflect.deleteProperty(HTMLInputElement.prototype, 'capture')
})

const photo = new File(['bytes'], 'photo.jpg', { type: 'image/jpeg' })
const openPage = () => {
  render(<FilePicker input={createRef()} onSelect={onSelect} hasFiles={false} />)
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
