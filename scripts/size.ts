import { brotliCompressSync, gzipSync } from 'node:zlib'
import { launchBrowser } from '../e2e/browser.ts'
import { startTemporarySystem } from './temporary-system.ts'

// Lists what a guest's phone downloads before the first photo can be selected, in two languages. Fails if it is
// more than the limit.

/** The limit of each language in kB. That of English, whose texts of the shell are part of the code, is the lowest. */
const limits = { en: 162, ar: 164.5 }

/** The limit of each language in kB as browsers download it, compressed by Brotli. */
const BROTLI_LIMIT_KB = 150

/** The limit of the page itself in kB: its inline scripts, and what it shows in all languages if the app does not start. */
const PAGE_LIMIT_KB = 4.2

interface Download {
  path: string
  origin: string
  kind: string
  gzipBytes: number
  brotliBytes: number
}

const print = (line: string): void => console.log(line)
const formatKilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1).padStart(6)

const recordDownloads = async (url: string, heading: string, locale: string): Promise<Download[]> => {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({
      locale,
      viewport: { width: 375, height: 740 },
      // The service worker starts after the page is shown, and requests again what it stores.
      serviceWorkers: 'block',
    })
    const downloads: Promise<Download>[] = []
    page.on('response', (response) => {
      const kind = response.request().resourceType()
      const { pathname: path, origin } = new URL(response.url())
      downloads.push(
        response.body().then(
          (body) => ({
            path,
            origin,
            kind,
            gzipBytes: gzipSync(body).length,
            brotliBytes: brotliCompressSync(body).length,
          }),
          () => ({ path, origin, kind, gzipBytes: 0, brotliBytes: 0 }),
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

const fail = (message: string): void => {
  print(message)
  process.exitCode = 1
}

const system = await startTemporarySystem(() => undefined)
try {
  const [event] = system.events
  if (!event) throw new Error('The system has no demo event.')
  for (const [locale, limitKb] of Object.entries(limits)) {
    const url = `${system.url}/upload?eventId=${event._id}`
    const downloads = await recordDownloads(url, event.name, locale)
    for (const { path, kind, gzipBytes } of downloads.toSorted((a, b) => b.gzipBytes - a.gzipBytes))
      print(`${formatKilobytes(gzipBytes)} kB  ${kind.padEnd(10)}  ${path}`)
    const code = downloads.filter(({ kind }) => kind === 'script' || kind === 'stylesheet')
    const total = code.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0)
    const brotliTotal = code.reduce((sum, { brotliBytes }) => sum + brotliBytes, 0)
    print(
      `A guest's first visit (${locale}): ${formatKilobytes(total).trim()} kB of JavaScript and CSS (gzip) in ${downloads.length} requests; the limit is ${limitKb} kB`,
    )
    print(
      `As browsers download it (Brotli): ${formatKilobytes(brotliTotal).trim()} kB; the limit is ${BROTLI_LIMIT_KB} kB`,
    )
    if (total > limitKb * 1_000 || brotliTotal > BROTLI_LIMIT_KB * 1_000)
      fail(`The first visit (${locale}) is above its limit.`)
    const page = downloads.find(({ kind }) => kind === 'document')
    if (!page || page.gzipBytes > PAGE_LIMIT_KB * 1_000)
      fail(`The page (${locale}) is above its limit of ${PAGE_LIMIT_KB} kB.`)
    const { organiser, admin } = system.remotes
    const unneeded = downloads.filter(({ origin }) => [organiser, admin].includes(origin))
    if (unneeded.length > 0)
      fail(
        `A guest's page must not load files of the organiser or admin remote: ${unneeded.map(({ path }) => path).join(', ')}`,
      )
  }
} finally {
  await system.stop()
}
