import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { startSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
}, 120_000)
afterAll(() => site.stop())

/** Opens the landing page, where nothing moves so that what is read is what it comes to. */
const openLanding = async (reducedMotion: 'reduce' | 'no-preference' = 'reduce'): Promise<Page> => {
  const page = await site.visit({ reducedMotion })
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

test('When the landing page is scrolled more than 50 px, then its header is opaque, and clear again at the top', async () => {
  const page = await openLanding()
  const header = page.getByRole('banner')
  const scrollTo = async (top: number): Promise<void> => {
    await page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top)
    await page.waitForFunction((y) => window.scrollY === y, top)
  }
  const whenOpaque = async (wanted: boolean): Promise<void> => {
    await page.waitForFunction((opaque) => {
      const header = document.querySelector('header')
      return header && (getComputedStyle(header).backgroundColor !== 'rgba(0, 0, 0, 0)') === opaque
    }, wanted)
  }
  await whenOpaque(false)
  await scrollTo(51)
  await whenOpaque(true)
  await scrollTo(50)
  await whenOpaque(false)
  expect(await header.evaluate((element) => element.getBoundingClientRect().top)).toBe(0)
  await scrollTo(400)
  await whenOpaque(true)
  expect(await header.evaluate((element) => element.getBoundingClientRect().top)).toBe(0)
})

test.each([
  ['Features', '#features'],
  ['How It Works', '#how-it-works'],
])('When %s is chosen, then that part of the page is in sight below the header', async (name, hash) => {
  const page = await openLanding()
  await page.getByRole('link', { name, exact: true }).click()
  expect(new URL(page.url()).hash).toBe(hash)
  await page.waitForFunction((title) => {
    const heading = [...document.querySelectorAll('h2')].find(({ textContent }) => textContent === title)
    const header = document.querySelector('header')
    if (!heading || !header) return false
    const { top, bottom } = heading.getBoundingClientRect()
    return top >= header.getBoundingClientRect().bottom && bottom <= innerHeight
  }, name)
  await page.context().close()
})

test('When the cards of the features come into sight, then each arrives 0.2 seconds after the one before', async () => {
  const page = await openLanding('no-preference')
  const cards = page.getByRole('region', { name: 'Features' }).getByRole('listitem')
  await cards.first().scrollIntoViewIfNeeded()
  await page.waitForFunction(() =>
    [...document.querySelectorAll('#features li')].every(
      (card) => getComputedStyle(card).animationName !== 'none',
    ),
  )
  expect(
    await cards.evaluateAll((list) => list.map((card) => getComputedStyle(card).animationDelay)),
  ).toEqual(['0s', '0.2s', '0.4s'])
})

test.each([
  ['Login', '/login', 'Welcome back'],
  ['Register Now', '/register', 'Create an account'],
])('When %s is chosen, then %s shows', async (name, path, title) => {
  const page = await openLanding()
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name: title }).waitFor()
  expect(new URL(page.url()).pathname).toBe(path)
  await page.context().close()
})
