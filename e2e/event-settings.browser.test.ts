import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newEvent, newOrganiser, type Account } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { tabTo } from './keyboard.ts'
import { joinSite, type Site } from './site.ts'
import { toast } from './toast.ts'

let site: Site
let helper: Account
beforeAll(async () => {
  site = await joinSite()
  helper = await newOrganiser(site.api)
})
afterAll(() => site.stop())

const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save settings' }).click()
  await toast(page, 'Settings saved').waitFor()
}

test('When an event is edited, closed, opened, shared and deleted, then guests, organisers and admins see it', async () => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  const name = `${event.name} and Brunch`
  const guest = await site.newPage()
  const openGuestPage = () => guest.goto(`/upload?eventId=${event._id}`)

  // An admin corrects the name.
  const admin = await site.newPage({ account: site.admin })
  await admin.goto(`/events/${event._id}`)
  await admin.getByRole('link', { name: 'Edit' }).click()
  await admin.getByLabel('Event Name').fill(name)
  await admin.getByRole('button', { name: 'Save' }).click()
  await toast(admin, 'Event saved').waitFor()
  await admin.getByRole('heading', { name, level: 1 }).waitFor()

  // The organiser closes it, which the guest's page says.
  const organiser = await site.newPage({ account: site.organiser })
  await organiser.goto('/myevents')
  await organiser.getByRole('link', { name: `Settings of ${name}` }).click()
  await organiser.getByLabel('Welcome text').fill('Welcome to the barn!')
  await organiser.getByRole('radio', { name: 'Closed' }).check({ force: true })
  await organiser.getByText('Uploads are closed: guests see no upload form.').waitFor()
  await save(organiser)
  await openGuestPage()
  await guest.getByText('Uploads for this event are closed.').waitFor()

  // And opens it again, with the keyboard.
  await tabTo(organiser, organiser.getByRole('radio', { name: 'Closed' }), 'Shift+Tab')
  await organiser.keyboard.press('ArrowLeft')
  await tabTo(organiser, organiser.getByRole('button', { name: 'Save settings' }))
  // The notice of the first time may still be there.
  const saved = organiser.waitForResponse((response) => response.request().method() === 'PATCH')
  await organiser.keyboard.press('Enter')
  expect((await saved).status()).toBe(200)
  await toast(organiser, 'Settings saved').waitFor()
  await openGuestPage()
  await guest.getByRole('heading', { name }).waitFor()
  await guest.getByText('Welcome to the barn!').waitFor()
  await guest.getByRole('button', { name: 'Upload' }).waitFor()

  // Somebody who accepts the invitation to organise it sees it, too, after they have signed in.
  await organiser.getByLabel('Email address of another organiser').fill(helper.user.email)
  await organiser.getByRole('button', { name: 'Invite organiser' }).click()
  const link = await organiser.getByLabel('Link to pass on').inputValue()
  const other = await site.newPage()
  await other.goto(new URL(link).pathname + new URL(link).hash)
  await other.getByLabel('Email').fill(helper.user.email)
  await other.getByLabel('Password', { exact: true }).fill(helper.password)
  await other.getByRole('button', { name: 'Sign In' }).click()
  await other.getByRole('button', { name: 'Accept invitation' }).click()
  await other.waitForURL(`**/myevents/*`)
  await other.goto('/myevents')
  await other.getByRole('heading', { name }).waitFor()

  // The admin deletes it by its name.
  await admin.getByRole('link', { name: 'Edit' }).click()
  await admin.getByRole('button', { name: 'Delete event' }).click()
  const dialog = admin.getByRole('alertdialog', { name: `Delete ${name}?` })
  await dialog.getByText('Nothing has been sent yet.').waitFor()
  const confirm = dialog.getByRole('button', { name: 'Delete event' })
  expect(await confirm.getAttribute('aria-disabled')).toBe('true')
  await dialog.getByLabel("Type the event's name to confirm").fill(name)
  await confirm.click()
  await toast(admin, 'Event deleted').waitFor()
  await admin.waitForURL('**/events')
  await admin.getByRole('heading', { name: site.event.name }).waitFor()
  expect(await admin.getByRole('heading', { name }).count()).toBe(0)
  await openGuestPage()
  await guest.getByRole('heading', { name: 'Event not found' }).waitFor()
})
