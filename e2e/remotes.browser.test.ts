import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startRemoteGate, type Fault, type RemoteGate } from './remote-gate.ts'
import { startSite, type Site } from './site.ts'

let site: Site
let gate: RemoteGate
beforeAll(async () => {
  gate = await startRemoteGate()
  site = await startSite({ frontends: { manifests: { admin: gate.manifest } } })
  gate.target = site.frontends.remotes.admin
}, 120_000)
afterAll(async () => {
  await site.stop()
  await gate.close()
})

describe.each<Fault>(['down', 'hangs', 'answers HTML', 'misses a chunk', 'a chunk hangs'])(
  'When the admin remote %s,',
  (fault) => {
    test('then only its own pages fail, and Retry brings them back', async () => {
      gate.fault = fault
      const page = await site.visit({ as: site.admin })
      await page.goto('/events')
      await page.getByText('This page could not be loaded.').waitFor({ timeout: 45_000 })

      await page.getByRole('link', { name: 'Welcome' }).click()
      await page.getByRole('heading', { name: 'Welcome to Confetti!' }).waitFor()
      await page.getByRole('link', { name: 'Events', exact: true }).click()
      const retry = page.getByRole('button', { name: 'Retry' })
      await retry.waitFor({ timeout: 45_000 })

      gate.repair()
      await retry.click()
      await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
      await page.getByText(site.event.name).waitFor()
      await page.context().close()
    }, 150_000)
  },
)

test('When the remotes of members are down, then a guest notices nothing', async () => {
  gate.fault = 'down'
  const page = await site.visit()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`/upload?eventId=${site.event._id}`)
  await page.getByRole('heading', { name: site.event.name }).waitFor()
  await page.waitForLoadState('networkidle')
  const { admin, organiser } = site.frontends.remotes
  expect(
    asked.filter((url) =>
      [admin, organiser, new URL(gate.manifest).origin].some((own) => url.startsWith(own)),
    ),
  ).toEqual([])
})

test('When the configuration does not come, then the page says so and Retry goes on', async () => {
  const page = await site.visit()
  await page.route('**/config.json', (route) => route.abort())
  await page.goto('/login')
  await page.getByText('The page could not be loaded.').waitFor()
  await page.unroute('**/config.json')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Welcome back').waitFor()
})

test("When the shell's code is still on its way, then what it will ask for on the guest page is asked already", async () => {
  const page = await site.visit()
  const code = Promise.withResolvers<undefined>()
  await page.route(/\/main\.[0-9a-f]+\.js$/, async (route) => {
    await code.promise
    await route.continue()
  })
  const { public: remote } = site.frontends.remotes
  const asked = [`${site.frontends.url}/config.json`, `${remote}/mf-manifest.json`, `${remote}/remote-entry.`]
  const all = Promise.all(
    asked.map((start) => page.waitForResponse((response) => response.url().startsWith(start))),
  )
  const again: string[] = []
  await page.goto(`/upload?eventId=${site.event._id}`, { waitUntil: 'commit' })
  await all
  page.on('request', (request) => again.push(request.url()))
  code.resolve(undefined)
  await page.getByRole('heading', { name: site.event.name }).waitFor()
  expect(again.filter((url) => asked.some((start) => url.startsWith(start)))).toEqual([])
})
