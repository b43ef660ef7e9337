import { samplePath } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { PHOTO, VIDEO } from './used-site.ts'

/** A screen in a state that it is brought to. */
export interface State {
  name: string
  /** The screen's name. */
  on: string
  reach: (page: Page) => Promise<unknown>
  /** Where it is, if not at any width. */
  widths?: readonly number[]
}

export const states: readonly State[] = [
  {
    name: 'landing page with its menu open',
    on: 'landing page',
    reach: (page) => page.getByRole('button', { name: 'Menu' }).click(),
    widths: [320],
  },
  {
    name: 'sign-in after a refusal',
    on: 'sign-in',
    reach: async (page) => {
      await page.getByLabel('Email').fill('nobody@confetti.test')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await page.getByRole('button', { name: 'Sign In' }).click()
      await page.getByText('Invalid email or password').waitFor()
    },
  },
  {
    name: 'guest’s upload with files chosen',
    on: 'guest’s upload',
    reach: async (page) => {
      await page
        .locator('input[type=file]')
        .setInputFiles([
          samplePath('camera-gps.jpg'),
          samplePath('video.mov'),
          samplePath('iphone-13.heic'),
          import.meta.filename,
        ])
      await page.getByText('This kind of file cannot be sent.').waitFor()
    },
  },
  {
    name: 'guest’s upload without a name and files',
    on: 'guest’s upload',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Upload' }).click()
      await page.getByText('Please select at least one file.').waitFor()
    },
  },
  {
    name: 'drawer',
    on: 'welcome page',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('dialog', { name: 'Menu' }).waitFor()
    },
    widths: [320, 768],
  },
  {
    name: 'contact form with nothing in it',
    on: 'contact form',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Send Message' }).click()
      await page.getByText('Please fill in all fields.').waitFor()
    },
  },
  {
    name: 'large QR code',
    on: 'list of an organiser’s events',
    reach: async (page) => {
      await page
        .getByRole('button', { name: /^Enlarge/ })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'form for a new event with nothing in it',
    on: 'form for a new event',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Create Event' }).click()
      await page.getByText('Please fill in all required fields including user.').waitFor()
    },
  },
  {
    name: 'calendar',
    on: 'form for a new event',
    reach: async (page) => {
      await page.getByRole('button', { name: /^Start Date,/ }).click()
      await page.getByRole('dialog', { name: 'Start Date' }).waitFor()
    },
  },
  {
    name: 'question before an upload is deleted',
    on: 'uploads of an event',
    reach: async (page) => {
      await page.getByRole('button', { name: `Delete ${PHOTO}` }).click()
      await page.getByRole('alertdialog', { name: 'Confirm Deletion' }).waitFor()
    },
  },
  ...[PHOTO, VIDEO].map((name) => ({
    name: `large view of ${name}`,
    on: 'uploads of an event',
    reach: async (page: Page) => {
      await page.getByRole('button', { name: `View ${name}` }).click()
      await page.getByRole('dialog', { name }).waitFor()
    },
  })),
]
