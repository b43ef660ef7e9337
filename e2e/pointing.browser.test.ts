import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startBuiltRemote, type BuiltRemote } from './built-remote.ts'
import { startSite, type Site } from './site.ts'

// What `/config.json` says while the site runs.
const manifests: { admin?: string } = {}
let site: Site
let newer: BuiltRemote
beforeAll(async () => {
  newer = await startBuiltRemote('admin', async (folder) => {
    const routes = join(folder, 'src/routes.tsx')
    const text = await readFile(routes, 'utf8')
    await writeFile(routes, text.replace(/title: '([A-Z])/g, "title: 'Newer: $1"))
  })
  site = await startSite({ frontends: { manifests } })
}, 120_000)
afterAll(async () => {
  await site.stop()
  await newer.stop()
})

const titleOfEvents = async (): Promise<string> => {
  const page = await site.visit({ as: site.admin })
  await page.goto('/events')
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  const title = await page.title()
  await page.context().close()
  return title
}

test('When the configuration points at another version, then new pages have it, open ones keep theirs, and the way back is the same', async () => {
  const open = await site.visit({ as: site.admin })
  const asked: string[] = []
  open.on('request', (request) => asked.push(request.url()))
  await open.goto('/contacts')
  await open.getByRole('heading', { name: 'User Contact Messages' }).waitFor()

  manifests.admin = `${newer.url}/mf-manifest.json`
  expect(await titleOfEvents()).toBe('Newer: Events · Confetti')

  await open.getByRole('link', { name: 'Events', exact: true }).click()
  await open.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  expect(await open.title()).toBe('Events · Confetti')
  expect(asked.filter((url) => url.startsWith(newer.url))).toEqual([])

  delete manifests.admin
  expect(await titleOfEvents()).toBe('Events · Confetti')
})
