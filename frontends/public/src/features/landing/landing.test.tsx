/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { BrowserRouter } from '@confetti/federation/router'
import { openSession, setTheme } from '@confetti/session'
import { Landing } from '../../pages/landing.tsx'

const scrollTo = (y: number): void =>
  act(() => {
    Object.assign(window, { scrollY: y })
    window.dispatchEvent(new Event('scroll'))
  })
const header = () => screen.getByRole('banner')
const opaque = () => header().className.includes('opaque')
const section = (name: string) => screen.getByRole('region', { name })

const open = (path = '/'): void => {
  history.replaceState(null, '', path)
  render(
    <BrowserRouter>
      <Landing />
    </BrowserRouter>,
  )
}

beforeEach(() => {
  openSession({ brand: 'Streamers', apiUrl: 'https://api.example.test' })
  setTheme('light')
  scrollTo(0)
})

test('When the page is scrolled by more than 50 pixels, then the header is opaque, and clear again at the top', () => {
  open()
  scrollTo(50)
  expect(opaque()).toBe(false)
  scrollTo(51)
  expect(opaque()).toBe(true)
  scrollTo(0)
  expect(opaque()).toBe(false)
})

test.each([
  ['Features', '#features'],
  ['How It Works', '#how-it-works'],
])(
  'When %s is chosen, then the address names it and the keyboard is there, each time',
  async (name, hash) => {
    open()
    for (let times = 0; times < 2; times++) {
      await userEvent.click(within(header()).getByRole('link', { name }))
      expect(location.hash).toBe(hash)
      expect(document.activeElement).toBe(section(name))
      act(() => screen.getByRole('link', { name: 'Register Now' }).focus())
    }
  },
)

test('When the address names a section, then the page opens there', () => {
  open('/#how-it-works')
  expect(document.activeElement).toBe(section('How It Works'))
})

test('When the address names something else, then the page opens as usual', () => {
  open('/#nothing-here')
  expect(document.activeElement).toBe(document.body)
})

test('When the menu is open, then Escape closes it and gives the keyboard back', async () => {
  open()
  await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
  expect(screen.getByRole('button', { name: 'Close the menu' }).getAttribute('aria-expanded')).toBe('true')
  await userEvent.tab({ shift: true })
  await userEvent.keyboard('{Escape}')
  const menu = screen.getByRole('button', { name: 'Menu' })
  expect(menu.getAttribute('aria-expanded')).toBe('false')
  expect(document.activeElement).toBe(menu)
})

test('When the footer is read, then it names the year and the product', () => {
  open()
  const year = new Date().getFullYear()
  expect(screen.getByRole('contentinfo').textContent).toBe(`© ${year} Streamers. All rights reserved.`)
})

describe('How the cards arrive', () => {
  const seen = new Map<Element, () => void>()
  afterEach(() => {
    seen.clear()
    Reflect.deleteProperty(window, 'IntersectionObserver')
  })
  const entries = () => within(section('Features')).getAllByRole('listitem')
  const observing = (): void => {
    window.IntersectionObserver = class {
      readonly listener: IntersectionObserverCallback
      constructor(listener: IntersectionObserverCallback) {
        this.listener = listener
      }
      observe(element: Element): void {
        const told = (isIntersecting: boolean) =>
          this.listener([{ isIntersecting } as IntersectionObserverEntry], this as never)
        told(false)
        seen.set(element, () => told(true))
      }
      disconnect = jest.fn()
    } as never
  }

  test('When a card is scrolled into view, then it arrives, each 0.2 s after the one before', () => {
    observing()
    open()
    expect(entries().map(({ className }) => className.includes('arrived'))).toEqual([false, false, false])
    for (const entry of entries()) act(() => seen.get(entry)?.())
    expect(entries().map(({ className }) => className.includes('arrived'))).toEqual([true, true, true])
    expect(entries().map(({ style }) => style.getPropertyValue('--delay'))).toEqual(['0s', '0.2s', '0.4s'])
  })

  test('When the browser does not observe, then they are all in their place', () => {
    open()
    expect(entries().map(({ className }) => className.includes('askew'))).toEqual([false, false, false])
  })
})
