import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newOrganiser, randomEmail } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { joinSite, type Site } from './site.ts'
import { toast } from './toast.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

const signIn = async (page: Page, email: string, password: string): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}
const cardOf = (page: Page, email: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: email, exact: true }) })

test('When an admin invites an organiser, then they accept, change their password, and lose access when deactivated', async () => {
  const email = randomEmail()
  const admin = await site.newPage({ account: site.admin })
  await admin.goto('/welcome')
  await admin.getByRole('link', { name: 'Users', exact: true }).click()
  await admin.getByLabel('Email', { exact: true }).fill(email)
  await admin.getByRole('button', { name: 'Invite', exact: true }).click()
  const link = await admin.getByRole('group', { name: 'Link to pass on' }).locator('code').innerText()
  await cardOf(admin, email).getByText('Invited', { exact: true }).waitFor()

  const invited = await site.newPage()
  await invited.goto(new URL(link).pathname + new URL(link).hash)
  await invited.getByLabel('New password', { exact: true }).fill('first password')
  await invited.getByRole('button', { name: 'Create Account' }).click()
  await toast(invited, 'Your account is ready.').waitFor()
  await invited.waitForURL('**/welcome')

  await invited.getByRole('link', { name: 'Account', exact: true }).click()
  await invited.getByLabel('Current password', { exact: true }).fill('first password')
  await invited.getByLabel('New password', { exact: true }).fill('second password')
  await invited.getByRole('button', { name: 'Change Password' }).click()
  await toast(invited, 'Your other devices have been signed out.').waitFor()
  await invited.reload()
  await invited.getByText(`Signed in as ${email}`).waitFor()

  await admin.getByLabel('Search by email').fill(email)
  await cardOf(admin, email).getByRole('button', { name: 'Deactivate' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click()
  await cardOf(admin, email).getByText('Deactivated', { exact: true }).waitFor()
  await invited.getByRole('button', { name: 'Sign Out Everywhere' }).click()
  await invited.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await invited.waitForURL('**/login')
  await signIn(invited, email, 'second password')
  await toast(invited, 'This account has been deactivated. Please ask an admin.').waitFor()
})

test('When a member signs out everywhere, then another device is signed out as well', async () => {
  const account = await newOrganiser(site.api)
  const [page, other] = [await site.newPage({ account }), await site.newPage({ account })]
  await other.goto('/account')
  await other.getByText(`Signed in as ${account.user.email}`).waitFor()
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign Out Everywhere' }).click()
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await page.waitForURL('**/login')
  expect(await page.evaluate(() => localStorage.getItem('refreshToken'))).toBeNull()
  await other.getByLabel('Current password', { exact: true }).fill(account.password)
  await other.getByLabel('New password', { exact: true }).fill('x')
  await other.getByRole('button', { name: 'Change Password' }).click()
  await other.waitForURL('**/login')
})
