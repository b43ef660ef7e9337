import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { loadCatalogues } from '@confetti/i18n'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { toast } from 'react-hot-toast/headless'
import { notify, notifyError } from './notify.tsx'
import { Toaster } from './toaster.tsx'
import { uiCatalogue } from './texts.ts'

await loadCatalogues([uiCatalogue])

const getRegion = () => screen.getByRole('region', { name: /Notifications/ })
const shownText = () => getRegion().textContent
const showToast = (message: string): void => act(() => void notify({ title: 'Success', message }))
const advance = (ms: number): void =>
  act(() => {
    jest.advanceTimersByTime(ms)
  })

const getToast = (): Element => {
  const element = [...getRegion().children].find(
    ({ firstElementChild }) => firstElementChild,
  )?.firstElementChild
  if (!element) throw new Error('There is no toast.')
  return element
}

const swipe = (from: number, to: number): void => {
  const toastElement = getToast()
  fireEvent.pointerDown(toastElement, { clientX: from, pointerId: 1 })
  fireEvent.pointerMove(toastElement, { clientX: (from + to) / 2, pointerId: 1 })
  fireEvent.pointerMove(toastElement, { clientX: to, pointerId: 1 })
  fireEvent.pointerUp(toastElement, { clientX: to, pointerId: 1 })
}

beforeEach(() => {
  jest.useFakeTimers()
  // jsdom has no PointerEvent.
  Object.assign(window, { PointerEvent: MouseEvent })
  HTMLElement.prototype.setPointerCapture = () => undefined
  render(
    <>
      <button type="button">Save</button>
      <Toaster />
    </>,
  )
})
afterEach(() => {
  act(() => toast.remove())
  jest.useRealTimers()
})

test('When a toast is shown, then its text appears in a live region that was there before; an error interrupts', () => {
  const [status, alert] = [screen.getByRole('status'), screen.getByRole('alert')]
  expect(shownText()).toBe('')
  showToast('Upload deleted successfully')
  expect(status.textContent).toContain('SuccessUpload deleted successfully')
  act(() => void notifyError('Failed to fetch users.'))
  expect(alert.textContent).toContain('ErrorFailed to fetch users.')
  expect(status.textContent).toBe('')
  expect([screen.getByRole('status'), screen.getByRole('alert')]).toEqual([status, alert])
})

test('When a second toast is shown, then it replaces the first', () => {
  showToast('The first')
  showToast('The second')
  expect(shownText()).toContain('The second')
  expect(shownText()).not.toContain('The first')
})

test('When the second toast is closed, then the first is not shown again', () => {
  showToast('The first')
  showToast('The second')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(shownText()).toBe('')
})

test('When it is an error, then its title is Error and its style is destructive; a success has neither', () => {
  act(() => void notifyError('Failed to fetch users.'))
  expect(shownText()).toContain('ErrorFailed to fetch users.')
  expect(getToast().className).toContain('destructive')
  act(() => void notifyError('Please fill in all fields.', 'Missing Fields'))
  expect(shownText()).toContain('Missing Fields')
  expect(shownText()).not.toContain('Error')
  showToast('Saved')
  expect(getToast().className).not.toContain('destructive')
})

describe('Duration', () => {
  test('When five seconds have passed, then the toast is hidden', () => {
    showToast('Saved')
    advance(4_999)
    expect(shownText()).toContain('Saved')
    advance(1)
    expect(shownText()).not.toContain('Saved')
  })

  test('When the pointer is over the toast, then its five seconds are paused', () => {
    showToast('Saved')
    advance(3_000)
    fireEvent.mouseEnter(getRegion())
    advance(60_000)
    expect(shownText()).toContain('Saved')
    fireEvent.mouseLeave(getRegion())
    advance(1_999)
    expect(shownText()).toContain('Saved')
    advance(1)
    expect(shownText()).not.toContain('Saved')
  })

  test('When a toast was closed by touch or keyboard, then the next one is hidden after five seconds', () => {
    showToast('The first')
    // There is no mouseleave event, because the element is removed.
    fireEvent.mouseEnter(getRegion())
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    showToast('The second')
    advance(5_000)
    expect(shownText()).not.toContain('The second')
  })

  test('When a toast was replaced under the pointer, then the next one is hidden after five seconds', () => {
    showToast('The first')
    fireEvent.mouseEnter(getRegion())
    showToast('The second')
    advance(5_000)
    expect(shownText()).not.toContain('The second')
  })
})

describe('Swipe', () => {
  test.each([
    ['50 px to the right', true, 100, 150],
    ['far to the right', true, 10, 300],
    ['49 px to the right', false, 100, 149],
    ['to the left', false, 200, 100],
    ['nowhere', false, 100, 100],
  ])('When it is swiped %s, then dismissed is %s', (_, dismissed, from, to) => {
    showToast('Saved')
    swipe(from, to)
    expect(shownText() === '').toBe(dismissed)
  })

  test('When the browser cancels the swipe, then the toast stays', () => {
    showToast('Saved')
    const toastElement = getToast()
    fireEvent.pointerDown(toastElement, { clientX: 0, pointerId: 1 })
    fireEvent.pointerMove(toastElement, { clientX: 90, pointerId: 1 })
    fireEvent.pointerCancel(toastElement, { pointerId: 1 })
    fireEvent.pointerUp(toastElement, { clientX: 90, pointerId: 1 })
    expect(shownText()).toContain('Saved')
  })

  test('When the pointer moves over it without a press, then the toast stays', () => {
    showToast('Saved')
    fireEvent.pointerMove(getToast(), { clientX: 300, pointerId: 1 })
    fireEvent.pointerUp(getToast(), { clientX: 300, pointerId: 1 })
    expect(shownText()).toContain('Saved')
  })
})

describe('Keyboard', () => {
  test('When F8 is pressed, then the toast region has the focus', () => {
    fireEvent.keyDown(document.body, { key: 'F8' })
    expect(document.activeElement).toBe(getRegion())
  })

  test('When another key is pressed, then the focus does not change', () => {
    screen.getByRole('button', { name: 'Save' }).focus()
    fireEvent.keyDown(document.body, { key: 'F7' })
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save' }))
  })

  test('When a toast is closed by the keyboard, then the focus returns to where it was', () => {
    const saveButton = screen.getByRole('button', { name: 'Save' })
    saveButton.focus()
    showToast('Saved')
    fireEvent.keyDown(document.body, { key: 'F8' })
    const closeButton = screen.getByRole('button', { name: 'Close' })
    act(() => closeButton.focus())
    fireEvent.click(closeButton, { detail: 0 })
    expect(document.activeElement).toBe(saveButton)
  })
})
