import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@confetti/test-kit'
import { startRemoteProxy, type RemoteFault, type RemoteProxy } from './remote-proxy.ts'
import { startSite, type OwnSite } from './site.ts'

let site: OwnSite
let proxy: RemoteProxy
beforeAll(async () => {
  proxy = await startRemoteProxy()
  site = await startSite({ frontends: { manifests: { admin: proxy.manifestUrl } } })
  proxy.targetUrl = site.frontends.remotes.admin
})
afterAll(async () => {
  await site.stop()
  await proxy.close()
})

describe.each<RemoteFault>(['is down', 'hangs', 'returns HTML', 'lacks a chunk', 'hangs on a chunk'])(
  'When the admin remote %s,',
  (fault) => {
    test('then only its own pages fail, and Retry loads them', async () => {
      proxy.fault = fault
      const page = await site.newPage({ account: site.admin })
      await page.goto('/events')
      await page.getByText("Couldn't load this page").waitFor()

      await page.getByRole('link', { name: 'Welcome' }).click()
      await page.getByRole('heading', { name: 'Welcome to Confetti!' }).waitFor()
      await page.getByRole('link', { name: 'Events', exact: true }).click()
      const retry = page.getByRole('button', { name: 'Retry' })
      await retry.waitFor()

      proxy.clearFault()
      await retry.click()
      await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
      await page.getByText(site.event.name).waitFor()
      await page.context().close()
    }, 150_000)
  },
)

test('When the admin remote is down, then the guest page works and requests neither member remote', async () => {
  proxy.fault = 'is down'
  const page = await site.newPage()
  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  await page.goto(`/upload?eventId=${site.event._id}`)
  await page.getByRole('heading', { name: site.event.name }).waitFor()
  await page.waitForLoadState('networkidle')
  const { admin, organiser } = site.frontends.remotes
  expect(
    requestedUrls.filter((url) =>
      [admin, organiser, new URL(proxy.manifestUrl).origin].some((origin) => url.startsWith(origin)),
    ),
  ).toEqual([])
})

test('When the public remote hangs on a guest’s first visit, then the page reports it, and Retry loads it', async () => {
  const publicProxy = await startRemoteProxy()
  try {
    publicProxy.targetUrl = site.frontends.remotes.public
    publicProxy.fault = 'hangs'
    const page = await site.newPage()
    await page.route('**/config.json', async (route) => {
      const config = (await (await route.fetch()).json()) as { remotes: object }
      await route.fulfill({
        json: { ...config, remotes: { ...config.remotes, public: publicProxy.manifestUrl } },
      })
    })
    await page.goto(`/upload?eventId=${site.event._id}`)
    await page.getByText("Couldn't load this page").waitFor()
    await eventually(() =>
      site.system.log.some((line) => /"remote":"public".*"error in a browser"/.test(line)),
    )
    publicProxy.fault = 'none'
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('heading', { name: site.event.name }).waitFor()
  } finally {
    await publicProxy.close()
  }
})

test('When loading the configuration fails, then the page reports it, and Retry loads it', async () => {
  const page = await site.newPage()
  await page.route('**/config.json', (route) => route.abort())
  await page.goto('/login')
  await page.getByText("Couldn't load the page").waitFor()
  await page.unroute('**/config.json')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Welcome back').waitFor()
})

test('When the code of the shell is still loading, then the guest page has already requested what the shell needs', async () => {
  const page = await site.newPage()
  const unblocked = Promise.withResolvers<undefined>()
  await page.route(/\/main\.[0-9a-f]+\.js$/, async (route) => {
    await unblocked.promise
    await route.continue()
  })
  const { public: remote } = site.frontends.remotes
  const preloadedUrls = [
    `${site.frontends.url}/config.json`,
    `${remote}/mf-manifest.json`,
    `${remote}/remote-entry.`,
  ]
  const preloads = Promise.all(
    preloadedUrls.map((prefix) => page.waitForResponse((response) => response.url().startsWith(prefix))),
  )
  const laterRequests: string[] = []
  await page.goto(`/upload?eventId=${site.event._id}`, { waitUntil: 'commit' })
  await preloads
  page.on('request', (request) => laterRequests.push(request.url()))
  unblocked.resolve(undefined)
  await page.getByRole('heading', { name: site.event.name }).waitFor()
  expect(laterRequests.filter((url) => preloadedUrls.some((prefix) => url.startsWith(prefix)))).toEqual([])
})
