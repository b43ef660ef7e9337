/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { toast } from 'react-hot-toast/headless'
import { notify, notifyError } from './notify.tsx'
import { Toaster } from './toaster.tsx'

const region = () => screen.getByRole('region', { name: /Notifications/ })
const shown = () => region().textContent
const say = (message: string): void => act(() => notify({ title: 'Success', message }))
const pass = (milliseconds: number): void =>
  act(() => {
    jest.advanceTimersByTime(milliseconds)
  })

const swipe = (from: number, to: number): void => {
  const notice = screen.getByRole('status')
  fireEvent.pointerDown(notice, { clientX: from, pointerId: 1 })
  fireEvent.pointerMove(notice, { clientX: (from + to) / 2, pointerId: 1 })
  fireEvent.pointerMove(notice, { clientX: to, pointerId: 1 })
  fireEvent.pointerUp(notice, { clientX: to, pointerId: 1 })
}

beforeEach(() => {
  jest.useFakeTimers()
  // jsdom knows no pointers.
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

test('When something is said, then title and message are shown and read out', () => {
  say('Upload deleted successfully')
  expect(screen.getByRole('status').textContent).toContain('SuccessUpload deleted successfully')
})

test('When a second notice comes, then it takes the place of the first', () => {
  say('The first')
  say('The second')
  expect(screen.getAllByRole('status')).toHaveLength(1)
  expect(shown()).toContain('The second')
  expect(shown()).not.toContain('The first')
})

test('When the second one goes, then the first does not come back', () => {
  say('The first')
  say('The second')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('status')).toBeNull()
})

test('When it is a failure, then it is titled Error and looks destructive; a success does not', () => {
  act(() => notifyError('Failed to fetch users.'))
  expect(screen.getByRole('status').textContent).toContain('ErrorFailed to fetch users.')
  expect(screen.getByRole('status').className).toContain('bad')
  act(() => notifyError('Please fill in all fields.', 'Missing Fields'))
  expect(shown()).toContain('Missing Fields')
  expect(shown()).not.toContain('Error')
  say('Saved')
  expect(screen.getByRole('status').className).not.toContain('bad')
})

describe('How long a notice stays', () => {
  test('When five seconds have passed, then it goes', () => {
    say('Saved')
    pass(4_999)
    expect(shown()).toContain('Saved')
    pass(1)
    expect(shown()).not.toContain('Saved')
  })

  test('When the pointer rests on it, then it waits for its five seconds', () => {
    say('Saved')
    pass(3_000)
    fireEvent.mouseEnter(region())
    pass(60_000)
    expect(shown()).toContain('Saved')
    fireEvent.mouseLeave(region())
    pass(1_999)
    expect(shown()).toContain('Saved')
    pass(1)
    expect(shown()).not.toContain('Saved')
  })

  test('When one was closed under the finger or by the keyboard, then the next one goes by itself', () => {
    say('The first')
    // No event tells of leaving what is no longer there.
    fireEvent.mouseEnter(region())
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    say('The second')
    pass(5_000)
    expect(shown()).not.toContain('The second')
  })

  test('When one was replaced under the pointer, then the next one goes by itself', () => {
    say('The first')
    fireEvent.mouseEnter(region())
    say('The second')
    pass(5_000)
    expect(shown()).not.toContain('The second')
  })
})

describe('How a notice is swiped away', () => {
  test.each([
    ['50 px to the right', true, 100, 150],
    ['far to the right', true, 10, 300],
    ['49 px to the right', false, 100, 149],
    ['to the left', false, 200, 100],
    ['nowhere', false, 100, 100],
  ])('When it is swiped %s, then whether it goes is %s', (_, gone, from, to) => {
    say('Saved')
    swipe(from, to)
    expect(screen.queryByRole('status') === null).toBe(gone)
  })

  test('When the swipe is taken over by the browser, then the notice stays', () => {
    say('Saved')
    const notice = screen.getByRole('status')
    fireEvent.pointerDown(notice, { clientX: 0, pointerId: 1 })
    fireEvent.pointerMove(notice, { clientX: 90, pointerId: 1 })
    fireEvent.pointerCancel(notice, { pointerId: 1 })
    fireEvent.pointerUp(notice, { clientX: 90, pointerId: 1 })
    expect(shown()).toContain('Saved')
  })

  test('When the pointer only passes by, then the notice stays', () => {
    say('Saved')
    fireEvent.pointerMove(screen.getByRole('status'), { clientX: 300, pointerId: 1 })
    fireEvent.pointerUp(screen.getByRole('status'), { clientX: 300, pointerId: 1 })
    expect(shown()).toContain('Saved')
  })
})

describe('What the keyboard does', () => {
  test('When F8 is pressed, then it is where the notices are', () => {
    fireEvent.keyDown(document.body, { key: 'F8' })
    expect(document.activeElement).toBe(region())
  })

  test('When another key is pressed, then it stays where it was', () => {
    screen.getByRole('button', { name: 'Save' }).focus()
    fireEvent.keyDown(document.body, { key: 'F7' })
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save' }))
  })

  test('When a notice is closed by it, then it goes on where it was before', () => {
    const before = screen.getByRole('button', { name: 'Save' })
    before.focus()
    say('Saved')
    fireEvent.keyDown(document.body, { key: 'F8' })
    const close = screen.getByRole('button', { name: 'Close' })
    act(() => close.focus())
    fireEvent.click(close, { detail: 0 })
    expect(document.activeElement).toBe(before)
  })
})
