import { eventually, newOrganiser } from '@confetti/test-kit'
import { afterAll, beforeAll, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { startMailSite, type MailSite } from './mail-site.ts'
import { toast } from './toast.ts'

let mailSite: MailSite
beforeAll(async () => {
  mailSite = await startMailSite({ MAIL_FROM: 'Confetti <no-reply@confetti.test>' })
})
afterAll(() => mailSite.stop())

const setPassword = async (page: Page, password: string): Promise<void> => {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Set Password' }).click()
}

test('When a member has forgotten their password, then the link in a mail sets a new one, once', async () => {
  const { site, mailServer } = mailSite
  const { user } = await newOrganiser(site.api)
  const page = await site.newPage()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  // The sign-in page has such a field, too, and stays until the next page has loaded.
  await page.getByRole('button', { name: 'Send Link' }).waitFor()
  await page.getByLabel('Email').fill(user.email)
  await page.getByRole('button', { name: 'Send Link' }).click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()

  const link = await eventually(
    () => /https?:\S+\/reset-password#\S+/.exec(mailServer.mailsTo(user.email)[0]?.text ?? '')?.[0],
    'the mail with the link',
  )
  await page.goto(link)
  await setPassword(page, 'a new password')
  await toast(page, 'Password changed. Please sign in.').waitFor()
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill('a new password')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('**/welcome')

  const other = await site.newPage()
  await other.goto(link)
  await setPassword(other, 'another password')
  await other.getByRole('heading', { name: 'This link no longer works' }).waitFor()
})
