import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { keepInside, LargeView, zoom } from './large-view.tsx'

const area = { left: 0, top: 0, width: 400, height: 800 }
const onSwipe = jest.fn()

beforeEach(() => {
  onSwipe.mockClear()
  jest
    .spyOn(Element.prototype, 'getBoundingClientRect')
    .mockReturnValue({ ...area, x: 0, y: 0, right: 400, bottom: 800, toJSON: () => area })
})
afterEach(() => {
  cleanup()
  jest.restoreAllMocks()
})

const open = () => {
  render(
    <LargeView
      medium={{
        label: 'cake.jpg',
        width: 400,
        height: 800,
        thumbnailUrl: undefined,
        pictureUrl: 'https://example.com/cake.webp',
      }}
      onSwipe={onSwipe}
      onLinkFailed={() => undefined}
    />,
  )
  const picture = screen.getByAltText('cake.jpg')
  /** Fires a touch event, which jsdom does not have. */
  const touch = (type: string, pointerId: number, clientX: number, clientY = 400): void => {
    const event = new MouseEvent(`pointer${type}`, { bubbles: true, clientX, clientY })
    fireEvent(picture, Object.assign(event, { pointerType: 'touch', pointerId }))
  }
  const drag = (fromX: number, toX: number): void => {
    touch('down', 1, fromX)
    touch('move', 1, toX)
    touch('up', 1, toX)
  }
  const tap = (x: number): void => {
    touch('down', 1, x)
    touch('up', 1, x)
  }
  const getTransform = () => picture.parentElement?.parentElement?.style.transform
  return { touch, drag, tap, getTransform }
}

test('When two fingers move apart, then the picture grows, and what is between them stays there', () => {
  const { touch, getTransform } = open()
  touch('down', 1, 250)
  touch('down', 2, 350)
  touch('move', 1, 200)
  touch('move', 2, 400)
  expect(getTransform()).toBe('translate(-100px, 0px) scale(2)')
})

test('When an enlarged picture is dragged, then it moves up to its edge, and nothing is swiped', () => {
  const { touch, drag, getTransform } = open()
  touch('down', 1, 150)
  touch('down', 2, 250)
  touch('move', 1, 100)
  touch('move', 2, 300)
  touch('up', 1, 100)
  touch('up', 2, 300)
  expect(getTransform()).toBe('translate(0px, 0px) scale(2)')
  drag(100, 180)
  expect(getTransform()).toBe('translate(80px, 0px) scale(2)')
  drag(10, 390)
  expect(getTransform()).toBe('translate(200px, 0px) scale(2)')
  expect(onSwipe).not.toHaveBeenCalled()
})

test('When the finger that is left after a pinch moves on, then nothing is swiped', () => {
  const { touch } = open()
  touch('down', 1, 100)
  touch('down', 2, 300)
  touch('up', 2, 300)
  touch('move', 1, 380)
  touch('up', 1, 380)
  expect(onSwipe).not.toHaveBeenCalled()
})

test('When a picture is tapped twice, then it grows at that place, and a second time it is whole again', () => {
  const { tap, drag, getTransform } = open()
  tap(300)
  tap(300)
  expect(getTransform()).toBe('translate(-150px, 0px) scale(2.5)')
  tap(300)
  tap(300)
  expect(getTransform()).toBe('')
  drag(300, 100)
  expect(onSwipe.mock.calls).toEqual([[1]])
})

test('When the browser takes a touch over, then the picture is in its place again', () => {
  const { touch, getTransform } = open()
  touch('down', 1, 300)
  touch('move', 1, 100)
  expect(getTransform()).toBe('translate(-200px, 0px) scale(1)')
  touch('cancel', 1, 100)
  expect(getTransform()).toBe('')
  expect(onSwipe).not.toHaveBeenCalled()
})

test('A picture grows to five times its size at most, and never becomes smaller than the whole of it', () => {
  const middle = { x: 0, y: 0 }
  expect(zoom({ scale: 1, x: 0, y: 0 }, 9, middle, middle).scale).toBe(5)
  expect(zoom({ scale: 2, x: 0, y: 0 }, 0.1, middle, middle).scale).toBe(1)
})

test('A wide picture that is not as high as its area stays in the middle of it', () => {
  const picture = { width: 1_600, height: 800 }
  expect(keepInside({ scale: 2, x: 900, y: 900 }, area, picture)).toEqual({ scale: 2, x: 200, y: 0 })
  expect(keepInside({ scale: 5, x: 900, y: 900 }, area, picture)).toEqual({ scale: 5, x: 800, y: 100 })
})
