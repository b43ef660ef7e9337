import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { contactAdmin, type Contact } from '@confetti/contracts'
import { call } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { startSite, type Site } from './site.ts'
import { toast } from './toast.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
}, 120_000)
afterAll(() => site.stop())

const send = (page: Page): Promise<void> => page.getByRole('button', { name: 'Send Message' }).click()
const shown = (page: Page): Promise<string[]> =>
  Promise.all([page.getByLabel('Subject').inputValue(), page.getByLabel('Message').inputValue()])

const openForm = async (subject: string, message: string): Promise<{ page: Page; sent: unknown[] }> => {
  const page = await site.visit({ as: site.organiser })
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/api/contact-admin'))
      sent.push(request.postDataJSON())
  })
  await page.goto('/contact-admin')
  await page.getByRole('heading', { name: 'Contact Admin - Request for new Event' }).waitFor()
  await page.getByLabel('Subject').fill(subject)
  await page.getByLabel('Message').fill(message)
  return { page, sent }
}

// First of all: nobody has written yet.
test('When nobody has written, then Contacts say so and what to do next', async () => {
  const page = await site.visit({ as: site.admin })
  await page.goto('/contacts')
  await page.getByRole('heading', { name: 'User Contact Messages' }).waitFor()
  await page.getByText('No contact messages found.').waitFor()
  await page.getByRole('link', { name: 'Create an event' }).click()
  await page.getByRole('heading', { name: 'Create Event' }).waitFor()
})

test('When an organiser sends a message, then the form is empty again and an admin reads it', async () => {
  const subject = `Garden party ${randomBytes(4).toString('hex')}`
  const message = 'On 12 June, for 80 guests.\nIs <b>that</b> possible?'
  const { page, sent } = await openForm(subject, message)
  const leave = Promise.withResolvers<undefined>()
  await page.route('**/api/contact-admin*', async (route) => {
    await leave.promise
    await route.continue()
  })
  const answer = page.waitForResponse((response) => response.request().method() === 'POST')
  await send(page)
  await page.getByRole('button', { name: 'Sending...' }).waitFor()
  leave.resolve(undefined)
  await toast(page, 'Message Sent').waitFor()
  await toast(page, 'Your message has been sent to the admin.').waitFor()
  expect(await shown(page)).toEqual(['', ''])
  expect(sent).toEqual([{ subject, message }])
  const { contact } = (await (await answer).json()) as { contact: Contact }
  await page.reload()
  await page.getByRole('button', { name: 'Send Message' }).waitFor()
  expect(await shown(page)).toEqual(['', ''])

  const admin = await site.visit({ as: site.admin, timezoneId: 'Asia/Tokyo' })
  await admin.goto('/contacts')
  const entry = admin
    .getByRole('listitem')
    .filter({ has: admin.getByRole('heading', { name: subject, exact: true }) })
  await entry.getByText(message, { exact: true }).waitFor()
  await entry.getByText(`From ${site.organiser.user.email}`, { exact: true }).waitFor()
  const time = await admin.evaluate((instant) => new Date(instant).toLocaleString(), contact.createdAt)
  await entry.getByText(time, { exact: true }).waitFor()
})

test('When two have written, then the newer message stands first', async () => {
  const subjects = ['First', 'Second'].map((word) => `${word} ${randomBytes(4).toString('hex')}`)
  for (const subject of subjects)
    await call(site.api, contactAdmin, { token: site.organiser.token, body: { subject, message: 'Please.' } })
  const page = await site.visit({ as: site.admin })
  await page.goto('/contacts')
  await page.getByRole('heading', { name: subjects[1] ?? '' }).waitFor()
  expect((await page.getByRole('heading', { level: 2 }).allInnerTexts()).slice(0, 2)).toEqual(
    subjects.toReversed(),
  )
})

test.each([
  ['no subject', '', 'For 80 guests.', 'Subject'],
  ['no text', 'Garden party', '', 'Message'],
  ['neither', '', '', 'Subject'],
  ['nothing but spaces', '   ', ' \n ', 'Subject'],
])(
  'When a message has %s, then a notice says so and nothing is sent',
  async (_, subject, message, goesTo) => {
    const { page, sent } = await openForm(subject, message)
    await send(page)
    await toast(page, 'Missing Fields').waitFor()
    await toast(page, 'Please fill in all fields.').waitFor()
    expect(
      await page.getByLabel(goesTo).evaluate((field) => field.matches('[aria-invalid=true]:focus')),
    ).toBe(true)
    expect(await shown(page)).toEqual([subject, message])
    expect(sent).toEqual([])
    await page.context().close()
  },
)

test('When the server does not answer, then the notice says so, and what was written is kept', async () => {
  const { page } = await openForm('Garden party', 'For 80 guests.')
  await page.route('**/api/contact-admin*', (route) => route.abort())
  await send(page)
  await toast(page, 'Failed to send message. Please try again later.').waitFor()
  await toast(page, 'Error').waitFor()
  expect(await shown(page)).toEqual(['Garden party', 'For 80 guests.'])
  await page.unroute('**/api/contact-admin*')
  await send(page)
  await toast(page, 'Message Sent').waitFor()
})

test('When the server refuses a message, then its words show, and what was written is kept', async () => {
  const { page } = await openForm('Garden party', 'x'.repeat(5_001))
  await send(page)
  await toast(page, 'The message is longer than 5000 characters.').waitFor()
  expect((await shown(page))[1]).toHaveLength(5_001)
})

test('When the messages cannot be fetched, then Contacts say so, and Retry brings them', async () => {
  const subject = `Garden party ${randomBytes(4).toString('hex')}`
  await call(site.api, contactAdmin, { token: site.organiser.token, body: { subject, message: 'Please.' } })
  const page = await site.visit({ as: site.admin })
  await page.route('**/api/contact-admin*', (route) => route.abort())
  await page.goto('/contacts')
  await toast(page, 'Failed to fetch contact messages.').waitFor()
  await page.unroute('**/api/contact-admin*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('heading', { name: subject }).waitFor()
})
