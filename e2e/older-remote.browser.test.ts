import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ModifiedRemote } from './modified-remote.ts'
import { startOlderRemote } from './older-remote.ts'
import { startSite, type OwnSite } from './site.ts'

let site: OwnSite
let olderRemote: ModifiedRemote
beforeAll(async () => {
  olderRemote = await startOlderRemote()
  site = await startSite({ frontends: { manifests: { organiser: `${olderRemote.url}/mf-manifest.json` } } })
})
afterAll(async () => {
  await site.stop()
  await olderRemote.stop()
})

test('When a remote was built with older minor versions of React and the router, then it works in the current shell', async () => {
  const manifest = (await (await fetch(`${olderRemote.url}/mf-manifest.json`)).json()) as {
    shared: { name: string; version: string }[]
  }
  const versions = Object.fromEntries(manifest.shared.map(({ name, version }) => [name, version]))
  expect(versions).toMatchObject({ react: '19.1.0', '@confetti/federation/router': '7.6.0' })

  const page = await site.newPage({ account: site.organiser })
  const scripts: string[] = []
  const errors: string[] = []
  page.on('response', (response) => {
    if (response.url().startsWith(olderRemote.url)) scripts.push(response.url())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto('/myevents')
  await page.getByRole('link', { name: site.event.name, exact: true }).waitFor()
  await page.getByRole('link', { name: 'Contact Admin' }).click()
  await page.getByRole('heading', { name: 'Contact Admin - Request for new Event' }).waitFor()
  await page.getByRole('link', { name: 'Welcome' }).click()
  await page.getByRole('heading', { name: 'Welcome to Confetti!' }).waitFor()
  expect(errors).toEqual([])
  expect(scripts).not.toEqual([])
})
