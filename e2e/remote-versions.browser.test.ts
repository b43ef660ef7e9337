import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startModifiedRemote, type ModifiedRemote } from './modified-remote.ts'
import { waitForTitle } from './screen.ts'
import { startSite, type OwnSite } from './site.ts'

// The frontends server reads this object for each request of `/config.json`.
const manifests: { admin?: string } = {}
let site: OwnSite
let newerRemote: ModifiedRemote
beforeAll(async () => {
  newerRemote = await startModifiedRemote('admin', async (folder) => {
    const routes = join(folder, 'src/routes.tsx')
    const text = await readFile(routes, 'utf8')
    const withoutIds = text.replace(/^ *titleId: .*\n/gm, '')
    await writeFile(routes, withoutIds.replace(/title: '([A-Z])/g, "title: 'Newer: $1"))
  })
  site = await startSite({ frontends: { manifests } })
})
afterAll(async () => {
  await site.stop()
  await newerRemote.stop()
})

/** Opens the page with all events and waits until it has a title. */
const openEvents = async (title: string): Promise<void> => {
  const page = await site.newPage({ account: site.admin })
  await page.goto('/events')
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  await waitForTitle(page, title)
  await page.context().close()
}

test('When the configuration switches to another version of a remote and back, then only new pages load it', async () => {
  const openPage = await site.newPage({ account: site.admin })
  const requestedUrls: string[] = []
  openPage.on('request', (request) => requestedUrls.push(request.url()))
  await openPage.goto('/contacts')
  await openPage.getByRole('heading', { name: 'User Contact Messages' }).waitFor()

  manifests.admin = `${newerRemote.url}/mf-manifest.json`
  await openEvents('Newer: Events')

  await openPage.getByRole('link', { name: 'Events', exact: true }).click()
  await openPage.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  await waitForTitle(openPage, 'Events')
  expect(requestedUrls.filter((url) => url.startsWith(newerRemote.url))).toEqual([])

  delete manifests.admin
  await openEvents('Events')
})
