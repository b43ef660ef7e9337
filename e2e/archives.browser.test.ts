import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Event } from '@confetti/contracts'
import {
  eventually,
  newEvent,
  readCounter,
  readGauge,
  readSample,
  sendFiles,
  uniquePhoto,
  type FileToSend,
} from '@confetti/test-kit'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { listUploads } from './harness.ts'
import { sha256 } from './sha256.ts'
import { startSite, type OwnSite } from './site.ts'

// A download of 40 MB takes long enough to be interrupted.
const ARCHIVE_BYTES_PER_SECOND = 4_000_000

let site: OwnSite
/** An event with four photos. */
let photos: Awaited<ReturnType<typeof createEventWith>>
beforeAll(async () => {
  site = await startSite({
    replicas: { uploads: 2 },
    processes: ['uploads'],
    environment: { uploads: { ARCHIVE_BYTES_PER_SECOND: String(ARCHIVE_BYTES_PER_SECOND) } },
  })
  photos = await createEventWith(await createPhotos(4))
})
afterAll(() => site.stop())

/** An event with these files of two guests. Returns their hashes by the name that each has in an archive. */
const createEventWith = async (
  files: readonly FileToSend[],
): Promise<{ event: Event; hashes: Map<string, string> }> => {
  const event = await newEvent(site.api, site.admin, site.organiser)
  for (const [index, file] of files.entries())
    await sendFiles(site.api, event._id, [file], index === 0 ? 'Anna' : 'Ben')
  const uploads = await listUploads(site, event._id)
  return {
    event,
    hashes: new Map(uploads.map((each) => [each.filename.split('/').at(-1) ?? '', each.sha256])),
  }
}

const createPhotos = async (count: number): Promise<FileToSend[]> => {
  const photos: FileToSend[] = []
  for (let index = 0; index < count; index += 1)
    photos.push({ name: `${index}.jpg`, bytes: await uniquePhoto() })
  return photos
}

/** Chooses to download everything. */
const downloadEverything = async (page: Page, label: RegExp): Promise<void> => {
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await page.getByRole('button', { name: label }).click()
}

/** Starts a download and returns the hashes of the files in the archive that the browser saves, by their paths. */
const saveArchive = async (
  page: Page,
  start: () => Promise<void>,
): Promise<{ name: string; hashes: Map<string, string> }> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    start(),
    // It disappears after five seconds, and the first bytes may come later.
    page.getByText('Your download has started').waitFor(),
  ])
  const entries = Object.entries(unzipSync(await readFile(await download.path())))
  return {
    name: download.suggestedFilename(),
    hashes: new Map(entries.map(([path, bytes]) => [path, sha256(bytes)])),
  }
}

test('When an organiser downloads everything, then the browser saves one archive with every file byte for byte', async () => {
  const { event, hashes } = photos
  const page = await site.newPage({ account: site.organiser })
  await page.goto(`/myevents/${event._id}`)
  expect(await saveArchive(page, () => downloadEverything(page, /^Download everything: 4 files, /))).toEqual({
    name: `${event.name} ${event.startDate}.zip`,
    hashes,
  })
})

test('When an organiser selects photos by mouse and keyboard, then the archive has only these', async () => {
  const { event, hashes } = photos
  const page = await site.newPage({ account: site.organiser })
  await page.goto(`/myevents/${event._id}`)
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByRole('checkbox', { name: '3.jpg' }).click()
  await page.getByRole('checkbox', { name: '1.jpg' }).click({ modifiers: ['Shift'] })
  await page.getByRole('button', { name: 'Download 3 selected' }).waitFor()
  await page.getByRole('checkbox', { name: '2.jpg' }).press('Space')
  const saved = await saveArchive(page, () =>
    page.getByRole('button', { name: 'Download 2 selected' }).click(),
  )
  expect(saved.hashes).toEqual(new Map(['1.jpg', '3.jpg'].map((name) => [name, hashes.get(name)])))
})

test('When the replica that sends an archive is killed, then the browser resumes the download, and the file is whole', async () => {
  const clip = await readSample('video.mp4')
  const video = { name: 'clip.mp4', bytes: Buffer.concat([clip, Buffer.alloc(40_000_000, 'x')]) }
  const { event, hashes } = await createEventWith([video, ...(await createPhotos(1))])
  const page = await site.newPage({ account: site.organiser })
  await page.goto(`/myevents/${event._id}`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    downloadEverything(page, /^Download everything/),
  ])
  const sender = await eventually(async () => {
    for (const replica of site.system.replicas('uploads')) {
      const one = { replicas: () => [replica] }
      if ((await readGauge(one, 'uploads', 'uploads_archives_in_progress')) > 0) return replica
    }
    return undefined
  }, 'a replica that sends the archive')
  await sender.stop('SIGKILL')
  const entries = Object.entries(unzipSync(await readFile(await download.path())))
  expect(new Map(entries.map(([name, bytes]) => [name, sha256(bytes)]))).toEqual(hashes)
  const others = { replicas: () => site.system.replicas('uploads').filter((each) => each !== sender) }
  const resumed = { kind: 'resumed', outcome: 'completed' }
  await eventually(
    async () => (await readCounter(others, 'uploads', 'uploads_archive_downloads_total', resumed)) === 1,
    'the resumed download being counted',
  )
  await sender.restart()
})
