import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import { sha256 } from '../sha256.ts'
import { openTrial } from './installation.ts'

// One photo's whole way through an installation, in a real browser: a guest sends, the organiser sees it and takes it
// home, byte for byte. `npm run journey -- <the site> <the API>`

const [site = 'http://localhost:3000', api = 'http://localhost:3001'] = process.argv.slice(2)
const files = ['phone-jolla.jpg', 'iphone-13.heic', 'photo.webp', 'video.mp4', 'video.mov']
const pathOf = (name: string): string => fileURLToPath(new URL(`../../samples/${name}`, import.meta.url))
const say = (line: string): void => console.log(line)

const complaints: string[] = []
const listen = (page: Page, who: string): Page => {
  page.setDefaultTimeout(60_000)
  page.on('pageerror', (error) => complaints.push(`${who}: ${error.message}`))
  page.on('console', (message) => {
    // Also what the Content-Security-Policy forbids.
    if (message.type() === 'error') complaints.push(`${who}: ${message.text()}`)
  })
  return page
}

const trial = await openTrial(api, 'Trial of the whole way')
const browser = await launchBrowser()
try {
  const guest = listen(await browser.newPage({ viewport: { width: 390, height: 844 } }), 'guest')
  await guest.goto(`${site}/upload?eventId=${trial.event._id}`)
  await guest.getByLabel('Your Name (Photo Credit)').fill('Table 9')
  await guest.setInputFiles('input[type=file]', files.map(pathOf))
  await guest.getByRole('button', { name: 'Upload', exact: true }).click()
  await guest.getByRole('heading', { name: 'Thank You!' }).waitFor()
  say(`guest: ${files.length} files sent`)

  const organiser = listen(await browser.newPage({ acceptDownloads: true }), 'organiser')
  await organiser.goto(`${site}/login`)
  await organiser.getByLabel('Email').fill(trial.credentials.email)
  await organiser.getByLabel('Password', { exact: true }).fill(trial.credentials.password)
  await organiser.getByRole('button', { name: 'Sign In' }).click()
  await organiser.getByRole('link', { name: 'See my events' }).click()
  await organiser.getByRole('link', { name: /See the photos of Trial/ }).click()
  for (const name of files) await organiser.getByRole('button', { name: `View ${name}` }).waitFor()
  say('organiser: all of them with their pictures')

  const [download] = await Promise.all([
    organiser.waitForEvent('download'),
    organiser.getByRole('button', { name: 'Download All Uploads' }).click(),
  ])
  const taken = Object.values(unzipSync(await readFile(await download.path()))).map(sha256)
  const sent = await Promise.all(files.map(async (name) => sha256(await readFile(pathOf(name)))))
  if (taken.toSorted().join() !== sent.toSorted().join())
    throw new Error('What was taken home is not what was sent.')
  say('organiser: a zip with the same bytes')

  const unready = (await trial.whenProcessed()).filter(({ status }) => status !== 'ready')
  if (unready.length > 0)
    throw new Error(`Without a picture: ${unready.map(({ filename }) => filename).join(', ')}`)
  if (complaints.length > 0) throw new Error(`The browser complained:\n${complaints.join('\n')}`)
  say('Nothing to complain about.')
} catch (error) {
  say(complaints.join('\n'))
  throw error
} finally {
  await browser.close()
}
