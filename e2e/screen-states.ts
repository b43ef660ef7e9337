import { samplePath } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { PHOTO, VIDEO } from './seeded-site.ts'

/** A state of a screen after some interaction. */
export interface ScreenState {
  name: string
  /** The name of the screen, as in `screens.ts`. */
  screenName: string
  /** Brings the screen into the state. */
  prepare: (page: Page) => Promise<unknown>
  /** The viewport widths at which the state exists; all if missing. */
  widths?: readonly number[]
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
  },
  {
    name: 'guest’s upload page with selected files',
    screenName: 'guest’s upload page',
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
      await page.getByLabel('Status').selectOption('Processing')
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
