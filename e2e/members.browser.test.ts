import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
}, 120_000)
afterAll(() => site.stop())

test('When a visitor opens a page of members, then signing in leads back to it', async () => {
  const page = await site.visit()
  await page.goto('/events?tab=past')
  await page.getByText('Welcome back').waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')

  await page.getByLabel('Email').fill(site.admin.user.email)
  await page.getByLabel('Password', { exact: true }).fill(site.admin.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('**/events?tab=past')
  await page.getByText('Logged in successfully').waitFor()
})
