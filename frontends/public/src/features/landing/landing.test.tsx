import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { BrowserRouter } from '@confetti/federation/router'
import { loadCatalogues } from '@confetti/i18n'
import { initSession, setTheme } from '@confetti/session'
import { ownerCatalogues } from '../../owner-texts.ts'
import { Landing } from '../../pages/landing.tsx'

await loadCatalogues(ownerCatalogues)

const scrollTo = (y: number): void =>
  act(() => {
    Object.assign(window, { scrollY: y })
    window.dispatchEvent(new Event('scroll'))
  })
const getHeader = () => screen.getByRole('banner')
const isOpaque = () => getHeader().className.includes('opaque')
const getSection = (name: string) => screen.getByRole('region', { name })

const openPage = (path = '/'): void => {
  history.replaceState(null, '', path)
  render(
    <BrowserRouter>
      <Landing />
    </BrowserRouter>,
  )
}

beforeEach(() => {
  initSession({ brand: 'Streamers', apiUrl: 'https://api.example.test' })
  setTheme('light')
  scrollTo(0)
})

test('When the page is scrolled by more than 50 px, then the header is opaque; at the top it is transparent', () => {
  openPage()
  scrollTo(50)
  expect(isOpaque()).toBe(false)
  scrollTo(51)
  expect(isOpaque()).toBe(true)
  scrollTo(0)
  expect(isOpaque()).toBe(false)
})

test.each([
  ['Features', '#features'],
  ['How It Works', '#how-it-works'],
])(
  'When the link %s is clicked, then the URL has its hash and the section has the focus, each time',
  async (name, hash) => {
    openPage()
    for (let times = 0; times < 2; times++) {
      await userEvent.click(within(getHeader()).getByRole('link', { name }))
      expect(location.hash).toBe(hash)
      expect(document.activeElement).toBe(getSection(name))
      act(() => screen.getByRole('link', { name: 'Register Now' }).focus())
    }
  },
)

test('When the URL has the hash of a section, then that section has the focus', () => {
  openPage('/#how-it-works')
  expect(document.activeElement).toBe(getSection('How It Works'))
})

test('When the URL has an unknown hash, then the focus does not change', () => {
  openPage('/#nothing-here')
  expect(document.activeElement).toBe(document.body)
})

test('When the menu is open, then Escape closes it and its button has the focus', async () => {
  openPage()
  await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
  expect(screen.getByRole('button', { name: 'Close menu' }).getAttribute('aria-expanded')).toBe('true')
  await userEvent.tab({ shift: true })
  await userEvent.keyboard('{Escape}')
  const menuButton = screen.getByRole('button', { name: 'Menu' })
  expect(menuButton.getAttribute('aria-expanded')).toBe('false')
  expect(document.activeElement).toBe(menuButton)
})

test('When the page is shown, then the footer has the year and the brand', () => {
  openPage()
  const year = new Date().getFullYear()
  expect(screen.getByRole('contentinfo').textContent).toBe(`© ${year} Streamers. All rights reserved.`)
})

describe('Card animation', () => {
  const reveal = new Map<Element, () => void>()
  afterEach(() => {
    reveal.clear()
    Reflect.deleteProperty(window, 'IntersectionObserver')
  })
  const getItems = () => within(getSection('Features')).getAllByRole('listitem')
  const mockIntersectionObserver = (): void => {
    window.IntersectionObserver = class {
      readonly callback: IntersectionObserverCallback
      constructor(callback: IntersectionObserverCallback) {
        this.callback = callback
      }
      observe(element: Element): void {
        const notify = (isIntersecting: boolean) =>
          this.callback([{ isIntersecting } as IntersectionObserverEntry], this as never)
        notify(false)
        reveal.set(element, () => notify(true))
      }
      disconnect = jest.fn()
    } as never
  }

  test('When a card is scrolled into view, then it is revealed, 0.2 s after the previous one', () => {
    mockIntersectionObserver()
    openPage()
    expect(getItems().map(({ className }) => className.includes('revealed'))).toEqual([false, false, false])
    for (const item of getItems()) act(() => reveal.get(item)?.())
    expect(getItems().map(({ className }) => className.includes('revealed'))).toEqual([true, true, true])
    expect(getItems().map(({ style }) => style.getPropertyValue('--delay'))).toEqual(['0s', '0.2s', '0.4s'])
  })

  test('When the browser has no IntersectionObserver, then no card is tilted', () => {
    openPage()
    expect(getItems().map(({ className }) => className.includes('tilted'))).toEqual([false, false, false])
  })
})
