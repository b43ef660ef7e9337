import { newEvent } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { tabTo, waitForFocus } from './keyboard.ts'
import { joinSite, type NewPageOptions, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

const openLanding = async (options?: NewPageOptions): Promise<Page> => {
  const page = await site.newPage(options)
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

test('When the landing page is scrolled by more than 50 px, then its header is opaque, otherwise transparent', async () => {
  const page = await openLanding()
  const header = page.getByRole('banner')
  const scrollTo = async (top: number): Promise<void> => {
    // Whatever loads late, such as a font, moves the page while it is above what is in sight.
    await page.waitForFunction((y) => {
      window.scrollTo({ top: y, behavior: 'instant' })
      return window.scrollY === y
    }, top)
  }
  const waitForOpacity = async (opaque: boolean): Promise<void> => {
    await page.waitForFunction((expected) => {
      const header = document.querySelector('header')
      return header && (getComputedStyle(header).backgroundColor !== 'rgba(0, 0, 0, 0)') === expected
    }, opaque)
  }
  await waitForOpacity(false)
  await scrollTo(51)
  await waitForOpacity(true)
  await scrollTo(50)
  await waitForOpacity(false)
  expect(await header.evaluate((element) => element.getBoundingClientRect().top)).toBe(0)
  await scrollTo(400)
  await waitForOpacity(true)
  expect(await header.evaluate((element) => element.getBoundingClientRect().top)).toBe(0)
})

test.each([
  ['Features', '#features'],
  ['How It Works', '#how-it-works'],
])('When the link %s is clicked, then its section is visible below the header', async (name, hash) => {
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

test('When the feature cards become visible, then each is animated 0.2 seconds after the previous one', async () => {
  const page = await openLanding({ reducedMotion: 'no-preference' })
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

test('When motion is reduced, then a new colour of the page reaches all that inherits it at once', async () => {
  const page = await openLanding({ reducedMotion: 'reduce' })
  const inherited = await page.evaluate(() => {
    document.body.style.color = 'rgb(1, 2, 3)'
    return [...document.querySelectorAll('#features li')].map((card) => getComputedStyle(card).color)
  })
  expect(inherited).toEqual(Array(3).fill('rgb(1, 2, 3)'))
  await page.context().close()
})

test.each([
  ['Login', '/login', 'Welcome back'],
  ['Register Now', '/register', 'Create an account'],
])('When the link %s is clicked, then %s opens', async (name, path, title) => {
  const page = await openLanding()
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name: title }).waitFor()
  expect(new URL(page.url()).pathname).toBe(path)
  await page.context().close()
})

test('When a guest types the code of an event by keyboard alone, then the page of the event opens', async () => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  const page = await openLanding({ viewport: { width: 390, height: 844 } })
  const field = page.getByLabel('Enter your code')
  await tabTo(page, field)
  await page.keyboard.type('2222-2222')
  await page.keyboard.press('Enter')
  await page.getByText('There is no event with this code.').waitFor()
  await waitForFocus(page, field)
  await field.selectText()
  await page.keyboard.type(event.shortCode?.toLowerCase() ?? '')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: event.name }).waitFor()
  expect(new URL(page.url()).search).toBe(`?eventId=${event._id}`)
  await page.context().close()
})

test('When a short link is opened, then the page of its event opens with the fragment, or the field with an unknown code', async () => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  const page = await site.newPage()
  await page.goto(`${new URL(event.shortUrl ?? '').pathname}#key`)
  await page.getByRole('heading', { name: event.name }).waitFor()
  const { pathname, search, hash } = new URL(page.url())
  expect(`${pathname}${search}${hash}`).toBe(`/upload?eventId=${event._id}#key`)

  // The server redirects, so that nothing has to be loaded before.
  const open = (path: string, userAgent: string) =>
    fetch(new URL(path, site.frontends.url), { headers: { 'User-Agent': userAgent }, redirect: 'manual' })
  const shortPath = new URL(event.shortUrl ?? '').pathname
  const redirect = await open(shortPath, 'Mozilla/5.0')
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, event.uploadUrl])
  for (const path of [shortPath, `/upload?eventId=${event._id}`]) {
    const preview = await open(path, 'WhatsApp/2.23.20.0 A')
    const html = await preview.text()
    expect([preview.status, html.includes(`<meta property="og:url" content="${event.uploadUrl}">`)]).toEqual([
      200,
      true,
    ])
    const [, picture = ''] = /property="og:image" content="([^"]+)"/.exec(html) ?? []
    const { status, headers } = await fetch(picture)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  }

  await page.goto('/e/2222-2222')
  await page.getByText('There is no event with this code.').waitFor()
  expect(await page.getByLabel('Enter your code').inputValue()).toBe('2222-2222')
  await page.context().close()
})
