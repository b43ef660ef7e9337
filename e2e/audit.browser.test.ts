import { text } from 'node:stream/consumers'
import { listAudit, updateEvent } from '@confetti/contracts'
import { call, callUntilAvailable, eventually, newEvent } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { tabTo } from './keyboard.ts'
import { joinSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

test('When an organiser has closed an event, then an admin finds it in the audit log by keyboard, and exports it', async () => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  await call(site.api, updateEvent, {
    token: site.organiser.token,
    params: { eventId: event._id },
    body: { settings: { uploads: 'closed' } },
  })
  await eventually(async () => {
    const { body } = await callUntilAvailable(site.api, listAudit, {
      token: site.admin.token,
      query: { eventId: event._id },
    })
    return (body.entries as unknown[]).length === 2
  }, 'the entries about the event and its change')
  const page = await site.newPage({ account: site.admin })
  await page.goto(`/events/${event._id}`)
  await page.getByRole('main').getByRole('link', { name: 'Audit log' }).click()
  await page.waitForURL(`**/admin/audit?eventId=${event._id}`)
  const entries = page.getByRole('region', { name: 'Entries' }).getByRole('listitem')
  await page.getByText(`By ${site.admin.user.email}`).first().waitFor()

  await tabTo(page, page.getByLabel('Person'))
  await page.keyboard.type(site.organiser.user.email)
  await page.keyboard.press('Enter')
  const closed = entries.filter({ hasText: `By ${site.organiser.user.email}` })
  await closed.getByText('Uploads: none → closed').waitFor()
  await page.getByText(`By ${site.admin.user.email}`).first().waitFor({ state: 'detached' })

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^audit-\d{4}-\d{2}-\d{2}\.csv$/)
  const lines = (await text(await download.createReadStream())).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`"Event changed","${site.organiser.user.email}"`)

  await page.goBack()
  await page.getByText(`By ${site.admin.user.email}`).first().waitFor()
})
