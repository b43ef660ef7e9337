import { eventually, newEvent, newOrganiser, sendFiles, uniquePhoto } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startMailSite, type MailSite } from './mail-site.ts'

let mailSite: MailSite
beforeAll(async () => {
  mailSite = await startMailSite({ DIGEST_INTERVAL_MS: '1000' })
})
afterAll(() => mailSite.stop())

test('When an organiser has a Turkish browser, then mails and the page to unsubscribe are in Turkish', async () => {
  const { site, mailServer } = mailSite
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
