import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { logout } from '@confetti/contracts'
import { call, newOrganiser, randomEmail } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { joinSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

const submitCredentials = async (
  page: Page,
  email: string,
  password: string,
  button: string,
): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: button }).click()
}
const readStoredSession = (page: Page) =>
  page.evaluate(() => ({
    accessToken: localStorage.getItem('accessToken'),
    refreshToken: localStorage.getItem('refreshToken'),
    user: localStorage.getItem('user'),
  }))
const noSession = { accessToken: null, refreshToken: null, user: null }

test('When a user registers, then the welcome page is shown and they stay signed in after a reload', async () => {
  const page = await site.newPage()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByText('Enter your details to get started').waitFor()
  const email = randomEmail()
  await submitCredentials(page, email, 'a password', 'Create Account')

  await page.waitForURL('**/welcome')
  await page.getByText('Account created successfully').waitFor()
  await page.getByRole('heading', { name: 'Welcome to Confetti!' }).waitFor()
  expect(JSON.parse((await readStoredSession(page)).user ?? '')).toMatchObject({ email, role: 'user' })
  await page.reload()
  await page.getByRole('link', { name: 'My Events', exact: true }).waitFor()
})

test('When a signed-out user opens a member page, then signing in returns to it', async () => {
  const page = await site.newPage()
  await page.goto('/events?tab=past')
  await page.waitForURL('**/login')
  await submitCredentials(page, site.admin.user.email, site.admin.password, 'Sign In')
  await page.waitForURL('**/events?tab=past')
  await page.getByText('Logged in successfully').waitFor()
})

test('When a signed-out user opens a page of another role, then signing in leads to the welcome page', async () => {
  const page = await site.newPage()
  await page.goto('/events')
  await page.waitForURL('**/login')
  await submitCredentials(page, site.organiser.user.email, site.organiser.password, 'Sign In')
  await page.waitForURL('**/welcome')
})

test('When a member signs out, then /login is shown and the session has ended on the server, too', async () => {
  const organiser = await newOrganiser(site.api)
  const page = await site.newPage({ account: organiser })
  await page.goto('/myevents')
  const logoutResponse = page.waitForResponse((response) => response.url().includes('/api/auth/logout'))
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/login')
  expect((await logoutResponse).status()).toBe(200)
  expect(await readStoredSession(page)).toEqual(noSession)

  await submitCredentials(page, organiser.user.email, organiser.password, 'Sign In')
  await page.waitForURL('**/welcome')
})

test('When the logout request of a German page fails before any remote has loaded, then the error is in German, and the member is signed out', async () => {
  const page = await site.newPage({ account: await newOrganiser(site.api), locale: 'de-DE' })
  await page.goto('/welcome')
  await page.route('**/api/auth/logout*', (route) => route.abort())
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await page.getByText('Die Verbindung ist abgebrochen. Versuch es bitte noch einmal.').waitFor()
  await page.waitForURL('**/login')
  expect(await readStoredSession(page)).toEqual(noSession)
})

test('When a member is signed in, then the sidebar shows only the links of their role', async () => {
  const readSidebarLinks = async (page: Page) => {
    await page.goto('/welcome')
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    await links.first().waitFor()
    return links.allInnerTexts()
  }
  const admin = await readSidebarLinks(await site.newPage({ account: site.admin }))
  const organiser = await readSidebarLinks(await site.newPage({ account: site.organiser }))
  expect(admin).toEqual(['Welcome', 'Contacts', 'Events', 'Create Event', 'Users', 'Audit log', 'Account'])
  expect(organiser).toEqual(['Welcome', 'Contact Admin', 'My Events', 'Account'])
})

test('When the access token has become invalid, then one refresh serves all requests and the page loads', async () => {
  const organiser = await newOrganiser(site.api)
  const page = await site.newPage({ account: { ...organiser, token: `${organiser.token}x` } })
  const refreshes: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/auth/refresh') && request.method() === 'POST')
      refreshes.push(request.url())
  })
  await page.goto('/myevents')
  await page.getByText('No events found.').waitFor()
  expect(refreshes).toHaveLength(1)
  const { accessToken, refreshToken } = await readStoredSession(page)
  expect(accessToken).not.toContain(organiser.token)
  expect(refreshToken).not.toBe(organiser.refreshToken)
})

test('When two tabs refresh the session at the same time, then both stay signed in', async () => {
  const organiser = await newOrganiser(site.api)
  const first = await site.newPage({ account: { ...organiser, token: `${organiser.token}x` } })
  const second = await first.context().newPage()
  await Promise.all([first.goto('/myevents'), second.goto('/myevents')])
  await Promise.all([first, second].map((page) => page.getByText('No events found.').waitFor()))
  await Promise.all([first.reload(), second.reload()])
  await Promise.all([first, second].map((page) => page.getByText('No events found.').waitFor()))
})

test('When the session has ended on the server, then /login is shown, and signing in returns to the page', async () => {
  const organiser = await newOrganiser(site.api)
  await call(site.api, logout, { body: { refreshToken: organiser.refreshToken } })
  const page = await site.newPage({ account: { ...organiser, token: `${organiser.token}x` } })
  await page.goto('/contact-admin')
  await page.getByRole('link', { name: 'My Events', exact: true }).click()
  await page.waitForURL('**/login')
  expect(await readStoredSession(page)).toEqual(noSession)
  await submitCredentials(page, organiser.user.email, organiser.password, 'Sign In')
  await page.waitForURL('**/myevents')
})

test('When a member signs out in one tab, then the other tab is signed out, too', async () => {
  const first = await site.newPage({ account: await newOrganiser(site.api) })
  const second = await first.context().newPage()
  await first.goto('/welcome')
  await second.goto('/welcome')
  await first.getByRole('button', { name: 'Logout' }).click()
  await second.waitForURL('**/login')
})
