import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../browser.ts'
import { startBenchSite } from '../bench-site.ts'
import { createGalleryEvent } from '../gallery-event.ts'
import { MB } from '../units.ts'
import type { Scenario } from './scenario.ts'

const PHOTOS = 500
/** Lighthouse's slow 4G and cheap phone. */
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * MB) / 8,
  uploadThroughput: (0.75 * MB) / 8,
}
const CPU_SLOWDOWN = 4
/** Later pictures do not grow. */
const SETTLED_MS = 4_000

interface Visit {
  /** Largest contentful paint. */
  lcpMs: number
  /** Of the whole visit. */
  requests: number
}

/** Opens a page for the first time on a slow phone, and waits until the selector `shown` is there and all has settled. */
const visit = async (browser: Browser, url: string, shown: string): Promise<Visit> => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', network)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  let requests = 0
  page.on('request', () => (requests += 1))
  await page.goto(url, { timeout: 60_000 })
  await page.locator(shown).first().waitFor({ timeout: 60_000 })
  await sleep(SETTLED_MS)
  const lcpMs = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )
  await context.close()
  return { lcpMs, requests }
}

/** How soon a guest sees the gallery of 500 photos on a cheap phone. */
export const gallery: Scenario = {
  name: 'gallery',
  description: `A guest opens the gallery of an event with ${PHOTOS} photos for the first time, on a slow phone (processor ${CPU_SLOWDOWN} times slower, 1.6 Mbit/s, 150 ms). The baseline is the upload page of the same event on the same phone.`,
  run: async ({ rounds, profiles, print }) => {
    const benchSite = await startBenchSite({ profiles })
    const { event } = await createGalleryEvent(benchSite, PHOTOS)
    const eventId = event._id
    print(`  ${PHOTOS} photos are ready`)

    const browser = await launchBrowser()
    const pages = {
      gallery: { path: `/gallery?eventId=${eventId}`, shown: 'main img' },
      'upload page': { path: `/upload?eventId=${eventId}`, shown: 'main h1' },
    }
    const visits: Record<string, Visit[]> = {}
    for (let round = 0; round < rounds; round += 1)
      for (const [name, { path, shown }] of Object.entries(pages))
        visits[name] = [...(visits[name] ?? []), await visit(browser, `${benchSite.url}${path}`, shown)]
    await browser.close()
    await benchSite.stop()
    const { gallery: galleryVisits = [] } = visits
    return {
      rows: Object.entries(visits).map(([target, each]) => ({
        target,
        figures: {
          'LCP ms': each.map(({ lcpMs }) => lcpMs),
          requests: each.map(({ requests }) => requests),
        },
      })),
      thresholds: [
        {
          metric: 'Largest contentful paint of the gallery, in ms',
          values: galleryVisits.map(({ lcpMs }) => lcpMs),
          limit: { atMost: 2_300 },
        },
      ],
    }
  },
}
