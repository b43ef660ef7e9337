import {
  eventually,
  newEvent,
  newOrganiser,
  sendFiles,
  startMailServer,
  uniquePhoto,
  type MailServer,
} from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { startSite, type OwnSite } from './site.ts'
import { toast } from './toast.ts'

let mailServer: MailServer
let site: OwnSite
beforeAll(async () => {
  mailServer = await startMailServer()
  site = await startSite({
    environment: {
      auth: { MAIL: 'on' },
      notifications: {
        SMTP_URL: mailServer.url,
        MAIL_FROM: 'Confetti <no-reply@confetti.test>',
        CHECK_INTERVAL_MS: '200',
        DIGEST_INTERVAL_MS: '1000',
      },
    },
  })
})
afterAll(async () => {
  await site.stop()
  await mailServer.stop()
})

const setPassword = async (page: Page, password: string): Promise<void> => {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Set Password' }).click()
}

test('When a member has forgotten their password, then the link in a mail sets a new one, once', async () => {
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

test('When an organiser has a Turkish browser, then mails and the page to unsubscribe are in Turkish', async () => {
  const organiser = await newOrganiser(site.api)
  const { email } = organiser.user
  const page = await site.newPage({ locale: 'tr-TR' })
  await page.goto('/login')
  await page.getByLabel('E-posta').fill(email)
  await page.getByLabel('Şifre', { exact: true }).fill(organiser.password)
  await page.getByRole('button', { name: 'Giriş yap' }).click()
  await page.waitForURL('**/welcome')

  const otherBrowser = await site.newPage()
  await otherBrowser.goto('/forgot-password')
  await otherBrowser.getByLabel('Email').fill(email)
  await otherBrowser.getByRole('button', { name: 'Send Link' }).click()
  const reset = await eventually(() => mailServer.mailsTo(email)[0], 'the mail with the link')
  expect(reset.subject).toBe('Yeni bir şifre seç')

  const event = await newEvent(site.api, site.admin, organiser)
  await sendFiles(site.api, event._id, [{ name: 'a.jpg', bytes: await uniquePhoto(), type: 'image/jpeg' }])
  const token = await eventually(
    () =>
      mailServer
        .mailsTo(email)
        .map(({ text }) => /unsubscribe\?subscription=(\S+)/.exec(text)?.[1])
        .find(Boolean),
    'the mail about new photos',
  )
  const unsubscribe = new URL('/api/notifications/unsubscribe', site.api)
  await page.goto(unsubscribe.href)
  await page.getByRole('button', { name: 'E-postaları durdur' }).click()
  await page.getByText('Bu bağlantı geçerli değil.').waitFor()

  unsubscribe.searchParams.set('subscription', token)
  await page.goto(unsubscribe.href)
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('tr')
  await page.getByRole('button', { name: 'E-postaları durdur' }).click()
  await page.getByText('Bu etkinliğin yeni fotoğrafları için artık e-posta almayacaksın.').waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
})
