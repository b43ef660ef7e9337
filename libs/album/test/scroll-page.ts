import { jest } from '@jest/globals'
import { act } from '@testing-library/react'

/** Scrolls the page, whose layout jsdom does not know. */
export const scrollPage = (y: number): void => {
  jest.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({ top: -y } as DOMRect)
  act(() => void window.dispatchEvent(new Event('scroll')))
}
