import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { contactAdmin, type Contact } from '@confetti/contracts'
import { call } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { joinSite, type Site } from './site.ts'
import { toast } from './toast.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

const submit = (page: Page): Promise<void> => page.getByRole('button', { name: 'Send Message' }).click()
const readForm = (page: Page): Promise<string[]> =>
  Promise.all([page.getByLabel('Subject').inputValue(), page.getByLabel('Message').inputValue()])

/** Opens the contact form, fills it in, and records the bodies of the requests that send it. */
const openForm = async (subject: string, message: string): Promise<{ page: Page; requests: unknown[] }> => {
  const page = await site.newPage({ account: site.organiser })
  const requests: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/api/contact-admin'))
      requests.push(request.postDataJSON())
  })
  await page.goto('/contact-admin')
  await page.getByRole('heading', { name: 'Contact Admin - Request for new Event' }).waitFor()
  await page.getByLabel('Subject').fill(subject)
  await page.getByLabel('Message').fill(message)
  return { page, requests }
}

test('When an organiser sends a message, then the form is cleared and an admin can read the message', async () => {
  const subject = `Garden party ${randomBytes(4).toString('hex')}`
  const message = 'On 12 June, for 80 guests.\nIs <b>that</b> possible?'
  const { page, requests } = await openForm(subject, message)
  const unblocked = Promise.withResolvers<undefined>()
  await page.route('**/api/contact-admin*', async (route) => {
    await unblocked.promise
    await route.continue()
  })
  const responsePromise = page.waitForResponse((response) => response.request().method() === 'POST')
  await submit(page)
  await page.getByRole('button', { name: 'Sending...' }).waitFor()
  unblocked.resolve(undefined)
  await toast(page, 'Message Sent').waitFor()
  await toast(page, 'Your message has been sent to the admin.').waitFor()
  expect(await readForm(page)).toEqual(['', ''])
  expect(requests).toEqual([{ subject, message }])
  const { contact } = (await (await responsePromise).json()) as { contact: Contact }
  await page.reload()
  await page.getByRole('button', { name: 'Send Message' }).waitFor()
  expect(await readForm(page)).toEqual(['', ''])

  const admin = await site.newPage({ account: site.admin, timezoneId: 'Asia/Tokyo' })
  await admin.goto('/contacts')
  const entry = admin
    .getByRole('listitem')
    .filter({ has: admin.getByRole('heading', { name: subject, exact: true }) })
  await entry.getByText(message, { exact: true }).waitFor()
  await entry.getByText(`From ${site.organiser.user.email}`, { exact: true }).waitFor()
  const time = await admin.evaluate((instant) => new Date(instant).toLocaleString(), contact.createdAt)
  await entry.getByText(time, { exact: true }).waitFor()
})

test('When an admin answers a message, then the thread shows the reply, also after a reload', async () => {
  const subject = `Garden party ${randomBytes(4).toString('hex')}`
  await call(site.api, contactAdmin, { token: site.organiser.token, body: { subject, message: 'Possible?' } })
  const page = await site.newPage({ account: site.admin })
  await page.goto('/contacts')
  const entry = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: subject }) })
  await entry.getByRole('button', { name: 'Reply' }).click()
  await entry.getByText('Mail is off: the reply is only stored here.', { exact: false }).waitFor()
  await page.keyboard.type('Of course.\nFor <b>80</b> guests.')
  await entry.getByRole('button', { name: 'Send Reply' }).click()
  await toast(page, 'Reply saved').waitFor()
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload()
    const reply = entry.getByRole('list', { name: 'Replies' }).getByRole('listitem')
    await reply.getByText('Of course.\nFor <b>80</b> guests.', { exact: true }).waitFor()
    await reply.getByText(site.admin.user.email).waitFor()
  }
})

test('When there are two messages, then the newer one is listed first', async () => {
  const subjects = ['First', 'Second'].map((word) => `${word} ${randomBytes(4).toString('hex')}`)
  for (const subject of subjects)
    await call(site.api, contactAdmin, { token: site.organiser.token, body: { subject, message: 'Please.' } })
  const page = await site.newPage({ account: site.admin })
  await page.goto('/contacts')
  await page.getByRole('heading', { name: subjects[1] ?? '' }).waitFor()
  expect((await page.getByRole('heading', { level: 2 }).allTextContents()).slice(0, 2)).toEqual(
    subjects.toReversed(),
  )
})
