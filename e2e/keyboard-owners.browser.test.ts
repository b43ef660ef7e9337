import { publicRoutes } from '@confetti/contracts'
import { call, newEvent, newOrganiser, randomEmail } from '@confetti/test-kit'
import { afterAll, beforeAll, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { tabTo, waitForFocus } from './keyboard.ts'
import { joinSite, type Site } from './site.ts'
import { toast } from './toast.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const pressOn = async (page: Page, target: ReturnType<typeof button>, key = 'Enter'): Promise<void> => {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

test('When an organiser uses the keyboard, then they can change the settings of an event, and share it', async () => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  const helper = await newOrganiser(site.api)
  await call(site.api, publicRoutes.updateEvent, {
    token: site.admin.token,
    params: { eventId: event._id },
    body: { organisers: [site.organiser.user._id, helper.user._id] },
  })
  const page = await site.newPage({ account: site.organiser })
  await page.goto('/myevents')
  await pressOn(page, page.getByRole('link', { name: `Settings of ${event.name}` }))
  await waitForFocus(page, page.getByRole('main'))
  await tabTo(page, page.getByLabel('Welcome text'))
  await page.keyboard.type('Welcome to the barn!')
  await page.getByRole('region', { name: 'What guests see' }).getByText('Welcome to the barn!').waitFor()
  await tabTo(page, page.getByRole('radio', { name: 'Open' }))
  await page.keyboard.press('ArrowRight')
  await waitForFocus(page, page.getByRole('radio', { name: 'Closed' }))
  await pressOn(page, button(page, 'Save settings'))
  await toast(page, 'Settings saved').waitFor()
  await waitForFocus(page, button(page, 'Save settings'))

  await tabTo(page, page.getByLabel('Email address of another organiser'))
  await page.keyboard.press('Enter')
  await page.getByText('Enter an email address.').waitFor()
  await waitForFocus(page, page.getByLabel('Email address of another organiser'))
  const invited = randomEmail()
  await page.keyboard.type(invited)
  await page.keyboard.press('Enter')
  await toast(page, `${invited} is invited`).waitFor()
  await tabTo(page, button(page, `Remove ${helper.user.email}`), 'Shift+Tab')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog')
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await waitForFocus(page, button(page, `Remove ${helper.user.email}`))
  await page.keyboard.press('Enter')
  await pressOn(page, dialog.getByRole('button', { name: 'Remove' }))
  await toast(page, `${helper.user.email} is no longer an organiser`).waitFor()
  await waitForFocus(page, page.getByRole('heading', { name: 'Organisers' }))
})

test('When an admin uses the keyboard, then they can invite, find, deactivate and erase an organiser', async () => {
  const email = randomEmail()
  const page = await site.newPage({ account: site.admin })
  await page.goto('/welcome')
  await pressOn(page, page.getByRole('link', { name: 'Users', exact: true }))
  await waitForFocus(page, page.getByRole('main'))
  await tabTo(page, page.getByLabel('Email', { exact: true }))
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await page.getByRole('group', { name: 'Link to pass on' }).waitFor()

  await tabTo(page, page.getByLabel('Search by email'))
  await page.keyboard.type(email)
  const actions = page.getByRole('group', { name: `Actions for ${email}` })
  const action = (name: string) => actions.getByRole('button', { name, exact: true })
  await pressOn(page, action('Deactivate'))
  const dialog = page.getByRole('alertdialog')
  // The dialog traps the focus, and returns it.
  await tabTo(page, dialog.getByRole('button', { name: 'Cancel' }))
  await tabTo(page, dialog.getByRole('button', { name: 'Deactivate' }))
  await page.keyboard.press('Escape')
  await waitForFocus(page, action('Deactivate'))
  await page.keyboard.press('Enter')
  await pressOn(page, dialog.getByRole('button', { name: 'Deactivate' }))
  await action('Activate').waitFor()
  await pressOn(page, action(`More for ${email}`))
  await waitForFocus(page, page.getByRole('button', { name: 'Erase', exact: true }))
  await page.keyboard.press('Enter')
  await pressOn(page, dialog.getByRole('button', { name: 'Erase' }))
  await page.getByRole('heading', { name: email }).waitFor({ state: 'detached' })
})

test('When a member uses the keyboard, then they can change their password, also after a wrong one', async () => {
  const account = await newOrganiser(site.api)
  const page = await site.newPage({ account })
  await page.goto('/welcome')
  await pressOn(page, page.getByRole('link', { name: 'Account', exact: true }))
  await waitForFocus(page, page.getByRole('main'))
  const current = page.getByLabel('Current password', { exact: true })
  await tabTo(page, current)
  await page.keyboard.type('wrong')
  await tabTo(page, page.getByLabel('New password', { exact: true }))
  await page.keyboard.type('another password')
  await page.keyboard.press('Enter')
  await waitForFocus(page, current)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(account.password)
  await pressOn(page, button(page, 'Change Password'))
  await toast(page, 'Your other devices have been signed out.').waitFor()
})

test('When an admin uses the keyboard, then they can edit an event, and delete it by its name', async () => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  const page = await site.newPage({ account: site.admin })
  await page.goto(`/events/${event._id}`)
  await pressOn(page, page.getByRole('link', { name: 'Edit' }))
  await waitForFocus(page, page.getByRole('main'))
  await tabTo(page, page.getByLabel('Event Name'))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await waitForFocus(page, page.getByLabel('Event Name'))
  await page.keyboard.type('Garden wedding')
  await page.keyboard.press('Enter')
  await toast(page, 'Event saved').waitFor()
  await pressOn(page, page.getByRole('link', { name: 'Edit' }))
  await pressOn(page, button(page, 'Delete event'))
  const dialog = page.getByRole('alertdialog', { name: 'Delete Garden wedding?' })
  await tabTo(page, dialog.getByLabel("Type the event's name to confirm"))
  await page.keyboard.type('Garden wedding')
  await page.keyboard.press('Escape')
  await waitForFocus(page, button(page, 'Delete event'))
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByLabel("Type the event's name to confirm"))
  await page.keyboard.type('Garden wedding')
  await pressOn(page, dialog.getByRole('button', { name: 'Delete event' }))
  await toast(page, 'Event deleted').waitFor()
  await page.waitForURL('**/events')
})
