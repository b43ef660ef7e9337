import { gzipSync } from 'node:zlib'
import { launchBrowser } from '../e2e/browser.ts'
import { startTemporarySystem } from './temporary-system.ts'

// What a guest's phone downloads before the first photo can be chosen. Fails above the limit.

const LIMIT_KB = 170

interface Download {
  what: string
  origin: string
  kind: string
  gzipBytes: number
}

const say = (line: string): void => console.log(line)
const kB = (bytes: number): string => (bytes / 1_000).toFixed(1).padStart(6)

const firstVisit = async (url: string, heading: string): Promise<Download[]> => {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 375, height: 740 } })
    const downloads: Promise<Download>[] = []
    page.on('response', (response) => {
      const kind = response.request().resourceType()
      const { pathname: what, origin } = new URL(response.url())
      downloads.push(
        response.body().then(
          (body) => ({ what, origin, kind, gzipBytes: gzipSync(body).length }),
          () => ({ what, origin, kind, gzipBytes: 0 }),
        ),
      )
    })
    await page.goto(url)
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.waitForLoadState('networkidle')
    return await Promise.all(downloads)
  } finally {
    await browser.close()
  }
}

const system = await startTemporarySystem(() => undefined)
try {
  const [event] = system.events
  if (!event) throw new Error('There is no demo event.')
  const downloads = await firstVisit(`${system.url}/upload?eventId=${event._id}`, event.name)
  const code = downloads.filter(({ kind }) => kind === 'script' || kind === 'stylesheet')
  for (const { what, kind, gzipBytes } of downloads.toSorted((a, b) => b.gzipBytes - a.gzipBytes))
    say(`${kB(gzipBytes)} kB  ${kind.padEnd(10)}  ${what}`)
  const total = code.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0)
  say(
    `A guest's first visit: ${kB(total).trim()} kB of JavaScript and CSS (gzip) of at most ${LIMIT_KB}, in ${downloads.length} requests`,
  )
  if (total > LIMIT_KB * 1_000) process.exitCode = 1
  const { organiser, admin } = system.remotes
  const foreign = downloads.filter(({ origin }) => [organiser, admin].includes(origin))
  if (foreign.length > 0) {
    say(`A guest has no use for ${foreign.map(({ what }) => what).join(', ')}`)
    process.exitCode = 1
  }
} finally {
  await system.stop()
}
