import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Event } from '@confetti/contracts'
import { newEvent, sendFiles, uniquePhoto } from '@confetti/test-kit'
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

/** Creates an event with photos of these names, the last one the newest, and opens its uploads as an admin. */
const openAlbum = async (...names: string[]): Promise<{ page: Page; event: Event }> => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  for (const name of names) await sendFiles(site.api, event._id, [{ name, bytes: await uniquePhoto() }])
  const page = await site.newPage({ account: site.admin })
  await page.goto(`/admin/event-uploads/${event._id}`)
  for (const name of names) await button(page, `Delete ${name}`).waitFor()
  return { page, event }
}

test('When an admin deletes uploads with the keyboard, then the confirmation dialog traps the focus and restores it', async () => {
  const { page } = await openAlbum('cake.jpg', 'dance.jpg')
  const dialog = page.getByRole('alertdialog', { name: 'Confirm Deletion' })
  const cancel = dialog.getByRole('button', { name: 'Cancel' })
  const confirm = dialog.getByRole('button', { name: 'Delete' })
  await tabTo(page, button(page, 'Delete dance.jpg'))
  await page.keyboard.press('Enter')
  await dialog
    .getByText('Are you sure you want to delete this upload? This action cannot be undone.', { exact: true })
    .waitFor()
  await waitForFocus(page, cancel)
  await page.keyboard.press('Tab')
  await waitForFocus(page, confirm)
  await page.keyboard.press('Tab')
  await waitForFocus(page, cancel)
  await page.keyboard.press('Shift+Tab')
  await waitForFocus(page, confirm)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await waitForFocus(page, button(page, 'Delete dance.jpg'))

  await page.keyboard.press('Space')
  await waitForFocus(page, cancel)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await waitForFocus(page, button(page, 'Delete dance.jpg'))
  expect(await page.getByRole('button', { name: /^Delete / }).count()).toBe(2)

  await page.keyboard.press('Enter')
  await waitForFocus(page, cancel)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await toast(page, 'Upload deleted successfully').waitFor()
  await button(page, 'Delete dance.jpg').waitFor({ state: 'detached' })
  await waitForFocus(page, button(page, 'View cake.jpg'))

  await tabTo(page, button(page, 'Delete cake.jpg'))
  await page.keyboard.press('Enter')
  await waitForFocus(page, cancel)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('No uploads found for this event.').waitFor()
})

test('When an admin uses the keyboard, then they can browse the photos in the large view', async () => {
  const { page } = await openAlbum('cake.jpg', 'dance.jpg', 'garden.jpg')
  const dialog = (name: string) => page.getByRole('dialog', { name })
  await tabTo(page, button(page, 'View garden.jpg'))
  await page.keyboard.press('Enter')
  await dialog('garden.jpg').waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await dialog('dance.jpg').waitFor()
  await page.keyboard.press('End')
  await dialog('cake.jpg').waitFor()
  await page.keyboard.press('ArrowLeft')
  await dialog('dance.jpg').waitFor()
  await dialog('dance.jpg').getByText('2 of 3', { exact: true }).waitFor()

  // The dialog traps the focus.
  for (const name of ['Close', 'Previous', 'Next', 'Close'])
    await tabTo(page, dialog('dance.jpg').getByRole('button', { name }))
  expect(await dialog('dance.jpg').evaluate((box) => box.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await dialog('dance.jpg').waitFor({ state: 'detached' })
  await waitForFocus(page, button(page, 'View dance.jpg'))
})

test('When an admin uses the keyboard, then they can select the batch size', async () => {
  const { page } = await openAlbum('cake.jpg')
  await tabTo(page, page.getByRole('radio', { name: '50' }))
  await page.keyboard.press('ArrowRight')
  await waitForFocus(page, page.getByRole('radio', { name: '100', checked: true }))
  await page.keyboard.press('Tab')
  await waitForFocus(page, button(page, 'Download All'))
})
