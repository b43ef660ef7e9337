import { setTimeout as sleep } from 'node:timers/promises'
import { blobNames } from '@confetti/contracts'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../../browser.ts'
import { createTestEvent } from '../../smoke/test-event.ts'
import { startBenchSite } from '../bench-site.ts'
import { copyUploads } from '../copy-uploads.ts'
import { createSmallPhotoFactory, type GuestFile } from '../guest-files.ts'
import { createWallKey } from '../live-wall.ts'
import { measurePageMemory, type PageMemory } from '../page-memory.ts'
import { sendAll } from '../send-all.ts'
import { signIn } from '../sign-in.ts'
import { newFormGuest } from '../targets/form-guest.ts'
import type { Guest } from '../targets/target.ts'
import type { Scenario } from './scenario.ts'

/** What a wall rotates: its list is full from the start, and has no reason to grow. */
const STORED_PHOTOS = 2_000
/** Those of them that are sent and processed; the others are copies. */
const PROCESSED_PHOTOS = 20
const GUESTS = 20
const PHOTO_INTERVAL_MS = 1_000
const SAMPLES = 12
const MINUTE_MS = 60_000

interface Sample extends PageMemory {
  minutes: number
  sent: number
  slides: number
}

declare global {
  interface Window {
    slideCount: number
  }
}

/** Counts the slides that the wall shows from now on. */
const countSlides = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.slideCount = 0
    new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const node of addedNodes)
          if (node instanceof Element && node.querySelector('figure')) window.slideCount += 1
    }).observe(document.body, { childList: true, subtree: true })
  })

/** Sends the files in turn by the guests, one a second; after a delay faster, until it has caught up. */
const sendSteadily = async (
  guests: readonly Guest[],
  files: readonly GuestFile[],
  onSent: () => void,
): Promise<void> => {
  let nextAt = performance.now()
  for (const [index, file] of files.entries()) {
    await sleep(Math.max(0, nextAt - performance.now()))
    await guests[index % guests.length]?.send(file)
    onSent()
    nextAt += PHOTO_INTERVAL_MS
  }
}

/** Whether the memory of a live wall in a browser stays the same while photos arrive all the time. */
export const wallHour: Scenario = {
  name: 'wall-hour',
  isLong: true,
  description: `A live wall is open in Chromium (1,280 x 720) for an hour while ${GUESTS} guests send one small photo a second. The event has ${STORED_PHOTOS.toLocaleString('en')} photos from the start, as many as a wall rotates. Each figure is read after garbage collection.`,
  run: async ({ minutes, profiles, print }) => {
    const benchSite = await startBenchSite({ profiles })
    const { api, system } = benchSite
    const headers = await signIn(api, benchSite.admin)
    const testEvent = await createTestEvent(api, 'Wall', benchSite.admin)
    const eventId = testEvent.event._id
    await Promise.all(system.replicas('media').map((worker) => worker.restart()))
    const createFiles = await createSmallPhotoFactory()
    const files = createFiles(PROCESSED_PHOTOS + (minutes * MINUTE_MS) / PHOTO_INTERVAL_MS)
    await sendAll(api, testEvent, files.slice(0, PROCESSED_PHOTOS))
    await testEvent.waitForProcessing()
    await copyUploads(benchSite, { eventId, count: STORED_PHOTOS, image: blobNames.preview })
    print(`  ${STORED_PHOTOS} photos are ready`)

    const browser = await launchBrowser()
    const page = await browser.newPage({ viewport: { width: 1_280, height: 720 } })
    const devTools = await page.context().newCDPSession(page)
    const key = await createWallKey(api, eventId, headers)
    await page.goto(`${benchSite.url}/wall/${eventId}#${key}`)
    await page.locator('figure').first().waitFor({ timeout: MINUTE_MS })
    await countSlides(page)

    let sent = 0
    const samples: Sample[] = []
    const takeSamples = async (): Promise<void> => {
      const startedAt = performance.now()
      for (let number = 1; number <= SAMPLES; number += 1) {
        const at = (number * minutes) / SAMPLES
        await sleep(Math.max(0, startedAt + at * MINUTE_MS - performance.now()))
        const memory = await measurePageMemory(devTools)
        const slides = await page.evaluate(() => window.slideCount)
        samples.push({ minutes: at, sent, slides, ...memory })
        print(`  ${JSON.stringify(samples.at(-1))}`)
      }
    }
    const guests = Array.from({ length: GUESTS }, (_, number) =>
      newFormGuest(api, { eventId, photoCredit: `Late guest ${number}` }),
    )
    await Promise.all([sendSteadily(guests, files.slice(PROCESSED_PHOTOS), () => (sent += 1)), takeSamples()])
    const uploads = await testEvent.listUploads()
    const readyCount = uploads.filter(({ status }) => status === 'ready').length - STORED_PHOTOS
    for (const guest of guests) guest.close()
    await browser.close()
    await benchSite.stop()
    const growth = (name: 'heapMB' | 'nodes' | 'listeners'): number =>
      (samples.at(-1)?.[name] ?? NaN) / (samples[1]?.[name] ?? NaN)
    return {
      rows: samples.map((sample) => ({
        target: `after ${sample.minutes} minutes`,
        figures: {
          'photos sent': [sample.sent],
          'slides shown': [sample.slides],
          'JavaScript heap MB': [sample.heapMB],
          'page process MB': [sample.processMB],
          'DOM nodes': [sample.nodes],
          'event listeners': [sample.listeners],
        },
      })),
      thresholds: [
        {
          metric: 'JavaScript heap after 60 minutes, times that after 10',
          values: [growth('heapMB')],
          limit: { atMost: 1.2 },
        },
        {
          metric: 'DOM nodes after 60 minutes, times those after 10',
          values: [growth('nodes')],
          limit: { atMost: 1.2 },
        },
        {
          metric: 'Event listeners after 60 minutes, times those after 10',
          values: [growth('listeners')],
          limit: { atMost: 1.2 },
        },
        {
          metric: 'New photos that were ready at the end, of those sent',
          values: [readyCount / sent],
          limit: { atLeast: 0.99 },
        },
      ],
    }
  },
}
