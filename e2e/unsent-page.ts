import { eventually } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import type { NewPageOptions, Site } from './site.ts'

export interface ChosenFile {
  name: string
  mimeType: string
  buffer: Buffer
}

export const visitUploadPage = async (page: Page, eventId: string): Promise<void> => {
  await page.goto(`/upload?eventId=${eventId}`)
  await page.getByLabel('Your Name (Photo Credit)').waitFor()
}

export const openUploadPage = async (
  site: Site,
  eventId: string,
  { credit = 'Table 9', ...options }: NewPageOptions & { credit?: string } = {},
): Promise<Page> => {
  const page = await site.newPage(options)
  await visitUploadPage(page, eventId)
  await page.getByLabel('Your Name (Photo Credit)').fill(credit)
  return page
}

export const chooseFiles = (page: Page, ...files: ChosenFile[]): Promise<void> =>
  page.setInputFiles('input[type=file]', files)

export const startUpload = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Upload', exact: true }).click()

/** Reads the entries of some stores of a database in the browser, at one moment. Rejects if it does not exist yet. */
const readStores = (page: Page, database: string, stores: string[]): Promise<[string, unknown][][]> =>
  page.evaluate(
    ([name, storeNames]) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onerror = () => reject(new Error('The database cannot be opened.'))
        // The page creates it. One without the app must not.
        opening.onupgradeneeded = () => opening.transaction?.abort()
        opening.onsuccess = () => {
          const transaction = opening.result.transaction(storeNames)
          const requests = storeNames.map((storeName) => {
            const store = transaction.objectStore(storeName)
            return { keys: store.getAllKeys(), values: store.getAll() as IDBRequest<unknown[]> }
          })
          transaction.oncomplete = () => {
            opening.result.close()
            resolve(
              requests.map(({ keys, values }) =>
                keys.result.map((key, index): [string, unknown] => [key as string, values.result[index]]),
              ),
            )
          }
        }
      }),
    [database, stores] as const,
  )

/** Reads the unsent files in the browser's database: their number, how many have their bytes, and the names of those being sent. */
export const listUnsent = async (
  page: Page,
): Promise<{ count: number; withBytes: number; started: string[] }> => {
  const [files = [], bytes = []] = await readStores(page, 'confetti-unsent-files', ['files', 'bytes'])
  const records = files.map(([, record]) => record as { name: string; credit?: string })
  const started = records.filter(({ credit }) => credit !== undefined).map(({ name }) => name)
  return { count: records.length, withBytes: bytes.length, started }
}

export const waitUntilUnsent = (page: Page, count: number, timeoutMs?: number): Promise<unknown> =>
  eventually(
    async () => (await listUnsent(page).catch(() => undefined))?.withBytes === count,
    `the bytes of ${count} files in the browser`,
    timeoutMs,
  )

/** Waits until a visit of the event would find no unsent files. */
export const waitUntilAllSent = (page: Page): Promise<unknown> =>
  eventually(async () => (await listUnsent(page)).count === 0, 'no unsent files in the browser')

/** Waits until a page has read the unsent files, and waits for another tab to be closed, to which some of them belong. */
export const waitUntilTabWaits = (page: Page): Promise<unknown> =>
  eventually(
    () => page.evaluate(async () => ((await navigator.locks.query()).pending ?? []).length > 0),
    'the tab waits for another one',
  )

/** Reads what the page has stored for the service worker. */
const readSettings = async (page: Page): Promise<Record<string, unknown>> => {
  const [settings = []] = await readStores(page, 'confetti-guest-settings', ['settings'])
  return Object.fromEntries(settings)
}

const hasSettings = async (page: Page, eventId: string): Promise<boolean> => {
  const settings = await readSettings(page).catch(() => undefined)
  const guestToken = await page.evaluate(() => localStorage.getItem('guestToken'))
  return (
    settings?.lastEventId === eventId &&
    settings.apiUrl !== undefined &&
    (guestToken === null || settings.guestToken === guestToken)
  )
}

/** Opens the upload page with a service worker, and waits until that can receive and send files for the event. */
export const openPageWithWorker = async (
  site: Site,
  eventId: string,
  options: Parameters<typeof openUploadPage>[2] = {},
): Promise<Page> => {
  const page = await openUploadPage(site, eventId, { serviceWorkers: 'allow', ...options })
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  await eventually(() => hasSettings(page, eventId), 'the settings for the service worker')
  return page
}

/** Dispatches the event of a background sync, as the browser does when it has a network. */
export const dispatchSync = async (site: Site, page: Page): Promise<void> => {
  const devTools = await page.context().newCDPSession(page)
  const registrationId = new Promise<string>((resolve) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) => {
      if (registration) resolve(registration.registrationId)
    })
  })
  await devTools.send('ServiceWorker.enable')
  await devTools.send('ServiceWorker.dispatchSyncEvent', {
    origin: site.frontends.url,
    registrationId: await registrationId,
    tag: 'send-unsent',
    lastChance: false,
  })
  await devTools.detach()
}

/**
 * Dispatches background syncs, as the browser repeats one that failed, until the bytes of `count` files are left in the
 * browser.
 */
export const syncUntilUnsent = (site: Site, page: Page, count: number): Promise<unknown> =>
  eventually(async () => {
    await dispatchSync(site, page)
    return waitUntilUnsent(page, count, 20_000).then(
      () => true,
      () => false,
    )
  }, 'the background sync')

/** Chooses files and presses Upload without a network, and closes the page. Returns a tab without the app. */
export const leaveUnsent = async (
  site: Site,
  eventId: string,
  files: readonly ChosenFile[],
  credit?: string,
): Promise<Page> => {
  const page = await openPageWithWorker(site, eventId, credit === undefined ? {} : { credit })
  const context = page.context()
  await context.setOffline(true)
  await chooseFiles(page, ...files)
  await startUpload(page)
  await eventually(
    async () => (await listUnsent(page).catch(() => undefined))?.started.length === files.length,
    'the files that are to be sent in the browser',
  )
  await waitUntilUnsent(page, files.length)
  await page.close()
  await context.setOffline(false)
  const otherPage = await context.newPage()
  await otherPage.goto('/config.json')
  return otherPage
}
