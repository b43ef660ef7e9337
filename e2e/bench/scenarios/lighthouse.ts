import runLighthouse from 'lighthouse'
import { launch } from 'puppeteer-core'
import { browserArguments, findExecutable } from '../../browser.ts'
import { createTestEvent } from '../../smoke/test-event.ts'
import { startBenchSite } from '../bench-site.ts'
import { spreadOf } from '../statistics.ts'
import type { Result, Scenario } from './scenario.ts'

const categories = {
  performance: 'Performance',
  accessibility: 'Accessibility',
  'best-practices': 'Best practices',
  seo: 'SEO',
}

/** Explain the score of performance. */
const audits = {
  'largest-contentful-paint': 'LCP ms',
  'total-blocking-time': 'total blocking ms',
}

const MIN_SCORE = 95

/** Opens a page in a new browser of this language. Returns the score of each category, 0 to 100, and the times behind them. */
const measure = async (url: string, language: string): Promise<Record<string, number>> => {
  const browser = await launch({
    executablePath: findExecutable(),
    args: [...browserArguments, `--accept-lang=${language}`],
  })
  try {
    const page = await browser.newPage()
    const flags = { onlyCategories: Object.keys(categories), logLevel: 'error' } as const
    const result = await runLighthouse(url, flags, undefined, page)
    if (!result || result.lhr.runtimeError)
      throw new Error(`Lighthouse failed: ${result?.lhr.runtimeError?.message ?? 'no result'}`)
    const shownLanguage = await page.evaluate(() => document.documentElement.lang)
    if (shownLanguage !== language) throw new Error(`The page is in ${shownLanguage}, not in ${language}.`)
    const { lhr } = result
    return Object.fromEntries([
      ...Object.entries(categories).map(([id, name]) => [name, 100 * (lhr.categories[id]?.score ?? 0)]),
      ...Object.entries(audits).map(([id, name]) => [name, lhr.audits[id]?.numericValue ?? 0]),
    ])
  } finally {
    await browser.close()
  }
}

/** Lighthouse's scores of the page that guests open. */
export const lighthouse: Scenario = {
  name: 'lighthouse',
  description: `Lighthouse opens the upload page of an event as a new visitor, with its default phone (a slow one; network and processor are simulated), in English and Arabic. The thresholds apply to the median of the rounds, because other load on the machine lowers the score of performance.`,
  run: async ({ rounds, profiles, print }) => {
    const site = await startBenchSite({ profiles })
    const testEvent = await createTestEvent(site.api, 'Lighthouse', site.admin)
    const url = `${site.url}/upload?eventId=${testEvent.event._id}`
    const rows: (Result['rows'][number] & { language: string })[] = [
      { target: 'English', language: 'en', figures: {} },
      { target: 'Arabic, from right to left', language: 'ar', figures: {} },
    ]
    for (let round = 0; round < rounds; round += 1) {
      for (const { language, figures } of rows)
        for (const [name, value] of Object.entries(await measure(url, language)))
          figures[name] = [...(figures[name] ?? []), value]
      print(`  round ${round + 1} is done`)
    }
    await site.stop()
    return {
      rows,
      thresholds: rows.flatMap(({ target, figures }) =>
        Object.values(categories).map((name) => ({
          metric: `${name}, ${target}`,
          values: [spreadOf(figures[name] ?? [0]).median],
          limit: { atLeast: MIN_SCORE },
        })),
      ),
    }
  },
}
