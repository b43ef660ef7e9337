import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import { sha256 } from '../sha256.ts'
import { createTestEvent } from './test-event.ts'

// Tests a running installation in a browser: a guest uploads photos and videos, the organiser sees them and downloads
// them byte for byte. `npm run journey -- <URL of the site> <URL of the API>`

const [site = 'http://localhost:3000', api = 'http://localhost:3001'] = process.argv.slice(2)
const files = ['phone-jolla.jpg', 'iphone-13.heic', 'photo.webp', 'video.mp4', 'video.mov']
const samplePath = (name: string): string => fileURLToPath(new URL(`../../samples/${name}`, import.meta.url))
const eventTitle = 'Test of the installation'

const browserErrors: string[] = []
/** Records uncaught errors and console errors of a page, which include violations of the Content-Security-Policy. */
const recordErrors = (page: Page, user: string): Page => {
  page.setDefaultTimeout(60_000)
  page.on('pageerror', (error) => browserErrors.push(`${user}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') browserErrors.push(`${user}: ${message.text()}`)
  })
  return page
}

const testEvent = await createTestEvent(api, eventTitle)
const browser = await launchBrowser()
try {
  const guest = recordErrors(await browser.newPage({ viewport: { width: 390, height: 844 } }), 'guest')
  await guest.goto(`${site}/upload?eventId=${testEvent.event._id}`)
  await guest.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  await guest.setInputFiles('input[type=file]', files.map(samplePath))
  await guest.getByRole('button', { name: 'Upload', exact: true }).click()
  await guest.getByRole('heading', { name: 'Thank You!' }).waitFor()
  console.log(`guest: ${files.length} files uploaded`)

  const organiser = recordErrors(await browser.newPage({ acceptDownloads: true }), 'organiser')
  await organiser.goto(`${site}/login`)
  await organiser.getByLabel('Email').fill(testEvent.organiserCredentials.email)
  await organiser.getByLabel('Password', { exact: true }).fill(testEvent.organiserCredentials.password)
  await organiser.getByRole('button', { name: 'Sign In' }).click()
  await organiser.getByRole('link', { name: 'See my events' }).click()
  await organiser.getByRole('link', { name: `See the photos of ${eventTitle}` }).click()
  for (const name of files) await organiser.getByRole('button', { name: `View ${name}` }).waitFor()
  console.log('organiser: all files are shown')

  const [download] = await Promise.all([
    organiser.waitForEvent('download'),
    organiser.getByRole('button', { name: 'Download All Uploads' }).click(),
  ])
  const downloadedHashes = Object.values(unzipSync(await readFile(await download.path()))).map(sha256)
  const uploadedHashes = await Promise.all(
    files.map(async (name) => sha256(await readFile(samplePath(name)))),
  )
  if (downloadedHashes.toSorted().join() !== uploadedHashes.toSorted().join())
    throw new Error('The files in the ZIP differ from the uploaded files.')
  console.log('organiser: the ZIP contains the uploaded files')

  const notReady = (await testEvent.waitForProcessing()).filter(({ status }) => status !== 'ready')
  if (notReady.length > 0)
    throw new Error(`Not processed: ${notReady.map(({ filename }) => filename).join(', ')}`)
  if (browserErrors.length > 0) throw new Error(`The browser reported errors:\n${browserErrors.join('\n')}`)
  console.log('The installation works.')
} catch (error) {
  console.log(browserErrors.join('\n'))
  throw error
} finally {
  await browser.close()
}
