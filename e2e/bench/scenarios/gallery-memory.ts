import { blobNames } from '@confetti/contracts'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../browser.ts'
import { startBenchSite } from '../bench-site.ts'
import { copyUploads } from '../copy-uploads.ts'
import { createGalleryEvent } from '../gallery-event.ts'
import { measurePageMemory, type PageMemory } from '../page-memory.ts'
import { MB } from '../units.ts'
import type { Scenario } from './scenario.ts'

const PHOTOS = 10_000
/** Those of them that are sent and processed; the others are copies. */
const PROCESSED_PHOTOS = 20
const CHECKPOINTS = [1_000, 5_000, PHOTOS] as const
const MAX_PICTURES = 100
/** A photo of the list, with its links. */
const MAX_BYTES_PER_PHOTO = 2_000

interface Sample extends PageMemory {
  pictures: number
}

/**
 * Scrolls down screen by screen, each time until its pictures are there, to the photo `target`, counted from 1. Where the
 * next photos could not be loaded, it tries again as a guest does.
 */
const scrollToPhoto = (page: Page, target: number): Promise<void> =>
  page.evaluate(async (position) => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const pictures = () => [...document.querySelectorAll<HTMLImageElement>('main li img')]
    while (!document.querySelector(`main li[aria-posinset="${position}"]`)) {
      document.querySelector<HTMLButtonElement>('main [role="alert"] + button')?.click()
      window.scrollBy({ top: window.innerHeight, behavior: 'instant' })
      await nextFrame()
      await nextFrame()
      await Promise.all(pictures().map((picture) => picture.decode().catch(() => undefined)))
    }
  }, target)

const visit = async (browser: Browser, url: string, print: (line: string) => void): Promise<Sample[]> => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await page.goto(url)
  await page.locator('main li img').first().waitFor()
  const samples: Sample[] = []
  for (const checkpoint of CHECKPOINTS) {
    await scrollToPhoto(page, checkpoint)
    const pictures = await page.locator('img').count()
    const memory = await measurePageMemory(devTools)
    samples.push({ pictures, ...memory })
    print(`  photo ${checkpoint}: ${JSON.stringify(samples.at(-1))}`)
  }
  await context.close()
  return samples
}

/** Whether a gallery takes more memory the further a guest scrolls. */
export const galleryMemory: Scenario = {
  name: 'gallery-memory',
  isLong: true,
  description: `A guest scrolls through the gallery of an event with ${PHOTOS.toLocaleString('en')} photos on a phone (360 x 740), screen by screen. Each figure is read after garbage collection.`,
  run: async ({ rounds, profiles, print }) => {
    const benchSite = await startBenchSite({ profiles })
    const { event } = await createGalleryEvent(benchSite, PROCESSED_PHOTOS)
    const eventId = event._id
    await copyUploads(benchSite, { eventId, count: PHOTOS, image: blobNames.thumbnail })
    print(`  ${PHOTOS} photos are ready`)

    const browser = await launchBrowser()
    const visits: Sample[][] = []
    for (let round = 0; round < rounds; round += 1)
      visits.push(await visit(browser, `${benchSite.url}/gallery?eventId=${eventId}`, print))
    await browser.close()
    await benchSite.stop()
    const valuesOf = (index: number, name: keyof Sample): number[] =>
      visits.map((samples) => samples.at(index)?.[name] ?? NaN)
    const growth = (name: keyof Sample): number[] =>
      valuesOf(-1, name).map((value, round) => value / (valuesOf(0, name)[round] ?? NaN))
    return {
      rows: CHECKPOINTS.map((checkpoint, index) => ({
        target: `at photo ${checkpoint.toLocaleString('en')}`,
        figures: {
          'JavaScript heap MB': valuesOf(index, 'heapMB'),
          'page process MB': valuesOf(index, 'processMB'),
          'DOM nodes': valuesOf(index, 'nodes'),
          'event listeners': valuesOf(index, 'listeners'),
          'pictures in the document': valuesOf(index, 'pictures'),
        },
      })),
      thresholds: [
        {
          metric: 'DOM nodes at photo 10,000, times those at 1,000',
          values: growth('nodes'),
          limit: { atMost: 1.2 },
        },
        {
          metric: 'Pictures in the document, anywhere',
          values: visits.map((samples) => Math.max(...samples.map(({ pictures }) => pictures))),
          limit: { atMost: MAX_PICTURES },
        },
        {
          metric: 'JavaScript heap for each further photo, in bytes',
          values: valuesOf(-1, 'heapMB').map(
            (heapMB, round) =>
              ((heapMB - (valuesOf(0, 'heapMB')[round] ?? NaN)) * MB) / (PHOTOS - CHECKPOINTS[0]),
          ),
          limit: { atMost: MAX_BYTES_PER_PHOTO },
        },
      ],
    }
  },
}
