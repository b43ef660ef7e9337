import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newEvent } from '@confetti/test-kit'
import { joinSite, type Site } from './site.ts'
import { findUnreadableTexts } from './text-layout.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

// `screens.browser.test.ts` looks at German, Arabic and Japanese.
test.each(['hi', 'uk'])(
  'When the language is %s, then no text is clipped on the smallest phones, in any state of a guest page',
  async (locale) => {
    const event = await newEvent(site.api, site.admin, site.organiser)
    const page = await site.newPage({ viewport: { width: 320, height: 640 }, locale })
    for (const path of [
      `/upload?eventId=${event._id}`,
      '/upload',
      `/upload?eventId=${'0'.repeat(24)}`,
      `/gallery?eventId=${event._id}`,
      '/thank-you',
    ]) {
      await page.goto(path)
      await page.locator('h1:not(:has-text("..."))').waitFor()
      await page.waitForLoadState('networkidle')
      expect([path, await findUnreadableTexts(page)]).toEqual([path, []])
    }
  },
)
