import { randomEmail, samplePath } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { chooseLanguage, LANGUAGES } from './choose-language.ts'
import { PHOTO, REPLY, SUBJECT, VIDEO } from './seeded-site.ts'
import type { Width } from './text-layout.ts'

/** A state of a screen after some interaction. */
export interface ScreenState {
  name: string
  /** The name of the screen, as in `screens.ts`. */
  screenName: string
  /** Brings the screen into the state. */
  prepare: (page: Page) => Promise<unknown>
  /** Shows the notice of the state again. A notice is in the language that the page had when it appeared. */
  renew?: (page: Page) => Promise<unknown>
  /** Whether the page keeps what the state has changed, so that no other test can use it. */
  needsOwnPage?: true
  /** The viewport widths at which the state exists; all if missing. */
  widths?: readonly Width[]
}

/** Loads the page again with changes to what auth answers: a site has one configuration. */
const reloadWith = async (
  page: Page,
  changes: { registration?: 'invitation'; mail?: 'on' },
  paths: readonly string[] = ['settings'],
): Promise<void> => {
  for (const path of paths)
    await page.route(
      ({ pathname }) => pathname === `/api/auth/${path}`,
      async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...((await response.json()) as object), ...changes } })
      },
    )
  await page.reload()
}

/** Submits the form again, whose button a message may cover. */
const submit = (page: Page): Promise<void> =>
  page.locator('main form [type=submit]').first().dispatchEvent('click')

const submitToServer = (page: Page): Promise<unknown> =>
  Promise.all([page.waitForResponse((response) => response.request().method() === 'POST'), submit(page)])

/** Fills in the form of the upload page, and presses Upload. */
const startUpload = async (page: Page, files: Parameters<Page['setInputFiles']>[1]): Promise<void> => {
  await page.getByLabel('Your Name (Photo Credit)').fill('Aunt Marta')
  await page.locator('input[type=file]').setInputFiles(files)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
}

/** Starts an upload that does not end: neither blob storage nor, after some retries, the gateway answers. */
const startEndlessUpload = async (page: Page): Promise<void> => {
  await page.route(
    ({ pathname, searchParams }) => searchParams.has('sig') || pathname === '/api/uploads',
    (route) => (['PUT', 'POST'].includes(route.request().method()) ? undefined : route.fallback()),
  )
  await startUpload(page, [samplePath('camera-gps.jpg'), samplePath('video.mov')])
  await page.getByText('Sending 1 of 2').waitFor()
}

export const screenStates: readonly ScreenState[] = [
  {
    name: 'landing page with its menu open',
    screenName: 'landing page',
    prepare: (page) => page.getByRole('button', { name: 'Menu' }).click(),
    widths: [320],
  },
  {
    name: 'sign-in page after a wrong password',
    screenName: 'sign-in page',
    prepare: async (page) => {
      await page.getByLabel('Email').fill('nobody@confetti.test')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await page.getByRole('button', { name: 'Sign In' }).click()
      await page.getByText('Invalid email or password').waitFor()
    },
    renew: submitToServer,
  },
  {
    name: 'event list without events',
    screenName: 'event list',
    needsOwnPage: true,
    prepare: async (page) => {
      await page.route(
        ({ pathname }) => pathname === '/api/events/upcoming',
        async (route) => route.fulfill({ response: await route.fetch(), json: { events: [] } }),
      )
      await page.getByRole('tab', { name: 'Upcoming' }).click()
      await page.getByText('No events available.').waitFor()
    },
  },
  {
    name: 'registration page where accounts are created by invitation',
    screenName: 'registration page',
    needsOwnPage: true,
    prepare: async (page) => {
      await reloadWith(page, { registration: 'invitation' })
      await page.getByRole('heading', { name: 'By invitation only' }).waitFor()
    },
  },
  {
    name: 'form to reset a forgotten password',
    screenName: 'forgotten password page where no mail is sent',
    needsOwnPage: true,
    prepare: async (page) => {
      await reloadWith(page, { mail: 'on' })
      await page.getByRole('button', { name: 'Send Link' }).waitFor()
    },
  },
  {
    name: 'notice that a mail with a link is on its way',
    screenName: 'forgotten password page where no mail is sent',
    needsOwnPage: true,
    prepare: async (page) => {
      await reloadWith(page, { mail: 'on' }, ['settings', 'forgot-password'])
      await page.getByLabel('Email').fill(randomEmail())
      await page.getByRole('button', { name: 'Send Link' }).click()
      await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    },
  },
  {
    name: 'guest’s upload page with selected files',
    screenName: 'guest’s upload page',
    needsOwnPage: true,
    prepare: async (page) => {
      await page
        .locator('input[type=file]')
        .setInputFiles([
          samplePath('camera-gps.jpg'),
          samplePath('video.mov'),
          samplePath('iphone-13.heic'),
          import.meta.filename,
        ])
      await page.getByText("This file type isn't supported.").waitFor()
    },
  },
  {
    name: 'guest’s upload page without a name and files',
    screenName: 'guest’s upload page',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Upload' }).click()
      await page.getByText('Please select at least one file.').waitFor()
    },
    renew: submit,
  },
  {
    name: 'guest’s upload page while files are sent',
    screenName: 'guest’s upload page',
    needsOwnPage: true,
    prepare: startEndlessUpload,
  },
  {
    name: 'question before guests leave while files are sent',
    screenName: 'guest’s upload page',
    needsOwnPage: true,
    prepare: async (page) => {
      await startEndlessUpload(page)
      await page.evaluate(() => history.back())
      await page.getByRole('dialog', { name: 'Leave while files are being sent?' }).waitFor()
    },
  },
  {
    name: 'guest’s upload page that asks for the PIN of the event',
    screenName: 'guest’s upload page',
    needsOwnPage: true,
    prepare: async (page) => {
      await page.route(
        ({ pathname }) => /^\/api\/events\/\w+(\/passes)?$/.test(pathname),
        (route) =>
          route.request().method() === 'POST'
            ? route.fulfill({ status: 400, json: { code: 'pin_wrong', message: 'This PIN is wrong.' } })
            : route.fulfill({
                status: 404,
                json: {
                  code: 'pin_required',
                  message: 'Please enter the PIN of the event.',
                  details: { name: 'Harbour summer fair' },
                },
              }),
      )
      await page.reload()
      await page.locator('input[name=pin]').fill('Rose1234')
      await submitToServer(page)
      await page.locator('[aria-invalid]').waitFor()
    },
  },
  {
    name: 'guest’s upload page without a network',
    screenName: 'guest’s upload page',
    needsOwnPage: true,
    prepare: async (page) => {
      // What a language needs is loaded when it is chosen for the first time.
      for (const language of LANGUAGES) await chooseLanguage(page, language)
      await page.context().setOffline(true)
      await startUpload(page, [samplePath('camera-gps.jpg'), samplePath('video.mov')])
      await page.getByText("You're offline.").first().waitFor()
    },
  },
  {
    name: 'guest’s upload page after a file failed',
    screenName: 'guest’s upload page',
    needsOwnPage: true,
    prepare: async (page) => {
      await page.route('**/api/uploads/tickets*', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({
              status: 500,
              headers: { 'Access-Control-Allow-Origin': '*' },
              json: { message: 'Something went wrong.', code: 'internal', requestId: 'r' },
            })
          : route.fallback(),
      )
      const buffer = Buffer.from('\xff\xd8\xff\xe0', 'latin1')
      await startUpload(page, [{ name: 'holiday.jpg', mimeType: 'image/jpeg', buffer }])
      await page.getByRole('button', { name: 'Retry holiday.jpg' }).waitFor()
    },
  },
  {
    name: 'large view of the gallery',
    screenName: 'gallery',
    prepare: async (page) => {
      await page.getByRole('button', { name: /^Photo by / }).click()
      await page.getByRole('dialog', { name: /^Photo by / }).waitFor()
    },
  },
  {
    name: 'dialog to report a photo',
    screenName: 'gallery',
    prepare: async (page) => {
      await page.getByRole('button', { name: /^Photo by / }).click()
      await page.getByRole('button', { name: 'Report', exact: true }).click()
      await page.getByRole('dialog', { name: 'Report this photo?' }).waitFor()
    },
  },
  {
    name: 'navigation drawer',
    screenName: 'welcome page',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('dialog', { name: 'Menu' }).waitFor()
    },
    widths: [320, 768],
  },
  {
    name: 'contact form with missing fields',
    screenName: 'contact form',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Send Message' }).click()
      await page.getByText('Please fill in all fields.').waitFor()
    },
    renew: submit,
  },
  {
    name: 'large QR code',
    screenName: 'organiser’s event list',
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /^Enlarge/ })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'create event form with missing fields',
    screenName: 'create event form',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Create Event' }).click()
      await page.getByText('Please fill in all required fields including user.').waitFor()
    },
    renew: submit,
  },
  {
    name: 'date picker',
    screenName: 'create event form',
    prepare: async (page) => {
      await page.getByRole('button', { name: /^Start Date,/ }).click()
      await page.getByRole('dialog', { name: 'Start Date' }).waitFor()
    },
  },
  {
    name: 'user list with the link of an invitation',
    screenName: 'user list',
    prepare: async (page) => {
      await page.getByLabel('Email', { exact: true }).fill(randomEmail())
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await page.getByRole('group', { name: 'Link to pass on' }).waitFor()
      await page.getByText('Invited', { exact: true }).first().waitFor()
    },
  },
  {
    name: 'confirmation of an erasure',
    screenName: 'user list',
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /^More for / })
        .first()
        .click()
      await page.getByRole('button', { name: 'Erase' }).click()
      await page.getByRole('alertdialog', { name: 'Erase this account?' }).waitFor()
    },
  },
  {
    name: 'audit log without matching entries',
    screenName: 'audit log',
    prepare: async (page) => {
      await page.getByLabel('Person').fill('nobody@confetti.test')
      await page.getByRole('button', { name: 'Apply filters' }).click()
      await page.getByText('No entries found.').waitFor()
    },
  },
  {
    name: 'message with a reply and the form to answer it',
    screenName: 'contact message list',
    prepare: async (page) => {
      const message = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: SUBJECT }) })
      await message.getByRole('button', { name: 'Reply' }).click()
      await message.getByRole('list', { name: 'Replies' }).getByText(REPLY).waitFor()
      await message.getByText('Mail is off: the reply is only stored here.').waitFor()
    },
  },
  {
    name: 'confirmation of a demotion',
    screenName: 'user list',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Make organiser' }).first().click()
      await page.getByRole('alertdialog', { name: 'Make this account an organiser?' }).waitFor()
    },
  },
  {
    name: 'account page after a wrong password',
    screenName: 'account page',
    prepare: async (page) => {
      await page.getByLabel('Current password', { exact: true }).fill('wrong')
      await page.getByLabel('New password', { exact: true }).fill('new')
      await page.getByRole('button', { name: 'Change Password' }).click()
      await page.locator('[aria-invalid]').waitFor()
    },
    renew: submitToServer,
  },
  {
    name: 'edit event form without a name',
    screenName: 'edit event form',
    prepare: async (page) => {
      await page.getByLabel('Event Name').fill('')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Give the event a name.').waitFor()
    },
    renew: submit,
  },
  {
    name: 'dialog to delete an event',
    screenName: 'edit event form',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Delete event' }).click()
      await page.getByRole('alertdialog').getByText('2 files from 1 guest').waitFor()
    },
  },
  {
    name: 'settings page with invalid fields',
    screenName: 'admin settings page',
    prepare: async (page) => {
      await page.getByLabel('Welcome text').fill('x'.repeat(501))
      await page.getByLabel('Files at most').fill('0')
      await page.getByRole('button', { name: 'Save settings' }).click()
      await page.getByText('Enter a whole number, at least 1.').waitFor()
    },
    renew: submit,
  },
  {
    name: 'picker of the cover',
    screenName: 'organiser’s settings page',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Change cover' }).click()
      await page.getByRole('dialog', { name: 'Choose a cover' }).getByRole('img').first().waitFor()
    },
  },
  {
    name: 'settings page with the link of the live wall',
    screenName: 'organiser’s settings page',
    prepare: async (page) => {
      await page.getByRole('button', { name: /^Create (new )?link$/ }).click()
      const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Create new link' })
      const created = page.getByLabel('Link to the live wall')
      await confirm.or(created).waitFor()
      if (await confirm.isVisible()) await confirm.click()
      await created.waitFor()
    },
  },
  {
    name: 'gallery filtered by visibility',
    screenName: 'admin uploads page',
    prepare: async (page) => {
      const filters = page.getByRole('button', { name: 'Order and filter' })
      if (await filters.isVisible()) await filters.click()
      await page.getByLabel('Visibility').selectOption('Hidden')
      await page.getByText('No uploads match these filters.').waitFor()
    },
  },
  {
    name: 'delete confirmation',
    screenName: 'admin uploads page',
    prepare: async (page) => {
      await page.getByRole('button', { name: `Delete ${PHOTO}` }).click()
      await page.getByRole('alertdialog', { name: 'Confirm Deletion' }).waitFor()
    },
  },
  {
    name: 'selection mode of the gallery',
    screenName: 'admin uploads page',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Select', exact: true }).click()
      await page.getByRole('checkbox', { name: `${PHOTO} from` }).click()
      await page.getByRole('button', { name: 'Download 1 selected' }).waitFor()
    },
  },
  {
    name: 'gallery without matching uploads',
    screenName: 'admin uploads page',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Order and filter' }).click()
      await page.getByLabel('Status').selectOption('Being prepared')
      await page.getByText('No uploads match these filters.').waitFor()
    },
  },
  ...[PHOTO, VIDEO].map((name) => ({
    name: `large view of ${name}`,
    screenName: 'admin uploads page',
    prepare: async (page: Page) => {
      await page.getByRole('button', { name: `View ${name}` }).click()
      await page.getByRole('dialog', { name }).waitFor()
    },
  })),
]
