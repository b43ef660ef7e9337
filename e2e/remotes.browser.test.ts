import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { serveRemote } from '@confetti/launcher'
import { eventually } from '@confetti/test-kit'
import type { Page, Request } from 'playwright-core'
import publicPackage from '../frontends/public/package.json' with { type: 'json' }
import shellPackage from '../frontends/shell/package.json' with { type: 'json' }
import { copyFrontend } from './released-frontend.ts'
import { startRemoteProxy, type RemoteFault, type RemoteProxy } from './remote-proxy.ts'
import { waitForTitle } from './screen.ts'
import { startSite, type OwnSite } from './site.ts'

// The frontends server reads this object for each request of `/config.json`.
const manifests: { admin?: string } = {}
let site: OwnSite
let proxy: RemoteProxy
beforeAll(async () => {
  proxy = await startRemoteProxy()
  manifests.admin = proxy.manifestUrl
  site = await startSite({ frontends: { manifests } })
  proxy.targetUrl = site.frontends.remotes.admin
})
afterAll(async () => {
  await site.stop()
  await proxy.close()
})

/** More than the time limit of a manifest, an entry or a chunk. */
const LOAD_TIMEOUT_MS = 20_000

/** Lets time pass on a page whose clock is installed, from when the shell loads the remote until that has failed. */
const waitForFailure = async (page: Page): Promise<void> => {
  await page.getByRole('main').waitFor()
  await eventually(async () => {
    await page.clock.fastForward(LOAD_TIMEOUT_MS)
    return page.getByText("Couldn't load this page").isVisible()
  }, 'the notice that a page could not be loaded')
}

/**
 * Follows what a page requests from the remote. Returns a wait for all answers: the shell may give up before, and a retry
 * then joins the request that is still under way.
 */
const followRequests = (page: Page): (() => Promise<unknown>) => {
  const waiting = new Set<Request>()
  page.on('request', (request) => {
    if (request.url().startsWith(new URL(proxy.manifestUrl).origin)) waiting.add(request)
  })
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  return () => eventually(() => waiting.size === 0, 'the answers to all requests')
}

describe.each<RemoteFault>([
  'is down',
  'hangs',
  'returns HTML',
  'lacks a chunk',
  'hangs on a chunk',
  'lacks a chunk and hangs on its entry',
])('When the admin remote %s,', (fault) => {
  test('then only its own pages fail, and Retry loads them', async () => {
    proxy.fault = fault
    const page = await site.newPage({ account: site.admin })
    const waitForAnswers = followRequests(page)
    await page.clock.install()
    await page.goto('/events')
    await waitForFailure(page)

    await page.getByRole('link', { name: 'Welcome' }).click()
    await page.getByRole('heading', { name: 'Welcome to Confetti!' }).waitFor()
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await waitForFailure(page)

    proxy.clearFault()
    await waitForAnswers()
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    await page.getByText(site.event.name).waitFor()
    await page.context().close()
  })
})

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
    await page.clock.install()
    await page.route('**/config.json', async (route) => {
      const config = (await (await route.fetch()).json()) as { remotes: object }
      await route.fulfill({
        json: { ...config, remotes: { ...config.remotes, public: publicProxy.manifestUrl } },
      })
    })
    await page.goto(`/upload?eventId=${site.event._id}`)
    await waitForFailure(page)
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

test.each([
  ['upload', () => site.event.name],
  ['gallery', () => 'No gallery here'],
])(
  'When the code of the shell is still loading, then the %s page has already requested all that it needs to be shown',
  async (name, heading) => {
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
      ...['remote-entry', '__federation_expose_routes', 'locale-en-json', `page-${name}`].map(
        (file) => `${remote}/${file}.`,
      ),
    ]
    const isFile = (url: string, prefix: string): boolean => url.startsWith(prefix) && !url.endsWith('.css')
    const preloads = Promise.all(
      preloadedUrls.map((prefix) => page.waitForResponse((response) => isFile(response.url(), prefix))),
    )
    const laterRequests: string[] = []
    await page.goto(`/${name}?eventId=${site.event._id}`, { waitUntil: 'commit' })
    await Promise.all((await preloads).map((response) => response.finished()))
    page.on('request', (request) => laterRequests.push(request.url()))
    // What is loaded beside the page, or after it.
    await page.route(`${remote}/*.js`, (route) => route.abort())
    unblocked.resolve(undefined)
    await page.getByRole('heading', { name: heading() }).waitFor()
    expect(laterRequests.filter((url) => preloadedUrls.some((prefix) => url.startsWith(prefix)))).toEqual([])
  },
)

/** Opens the page with all events and waits until it has a title. */
const openEvents = async (title: string): Promise<void> => {
  const page = await site.newPage({ account: site.admin })
  await page.goto('/events')
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  await waitForTitle(page, title)
  await page.context().close()
}

test('When the configuration switches to another version of a remote and back, then only new pages load it', async () => {
  const newer = await copyFrontend('admin')
  await newer.release('title:"Events",titleId:"admin.tab.events"', 'title:"Newer: Events"')
  const newerServer = await serveRemote(newer.folder)
  delete manifests.admin
  const openPage = await site.newPage({ account: site.admin })
  const requestedUrls: string[] = []
  openPage.on('request', (request) => requestedUrls.push(request.url()))
  await openPage.goto('/contacts')
  await openPage.getByRole('heading', { name: 'User Contact Messages' }).waitFor()

  manifests.admin = `${newerServer.url}/mf-manifest.json`
  await openEvents('Newer: Events')

  await openPage.getByRole('link', { name: 'Events', exact: true }).click()
  await openPage.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  await waitForTitle(openPage, 'Events')
  expect(requestedUrls.filter((url) => url.startsWith(newerServer.url))).toEqual([])

  delete manifests.admin
  await openEvents('Events')
  await newerServer.close()
  await newer.remove()
})

test('When code fails in a browser, then the gateway logs each error once, with the release of the part that failed', async () => {
  const page = await site.newPage()
  await page.goto(`/upload?eventId=${site.event._id}#top`)
  await page.getByRole('heading', { name: site.event.name }).waitFor()
  const fail = (message: string, url: string) =>
    page.evaluate(
      ([message, url]) => {
        const error = new Error(message)
        error.stack = `Error: ${message}\n    at f (${url}/main.js?v=1:1:2)`
        setTimeout(() => {
          throw error
        })
      },
      [message, url],
    )
  const earlierLines = site.system.log.length
  const findReports = () =>
    site.system.log
      .slice(earlierLines)
      .map((line) => JSON.parse(line) as Record<string, string>)
      .filter(({ msg }) => msg === 'error in a browser')
  const waitForReports = (count: number) =>
    eventually(() => findReports().length >= count && findReports(), `${count} reports`)

  for (let round = 0; round < 2; round += 1)
    await fail('a bug of guest@example.org', site.frontends.remotes.public)
  await waitForReports(1)
  await fail('a bug of the shell', site.frontends.url)
  await waitForReports(2)
  await page.evaluate(() => void setTimeout(() => void Promise.reject(new Error('a rejection'))))
  const reports = await waitForReports(3)
  const summaries = reports.map(({ remote, release, page, error }) => [remote, release, page, error])
  expect(summaries).toEqual([
    ['public', publicPackage.version, '/upload', 'Error: a bug of [email]'],
    ['shell', shellPackage.version, '/upload', 'Error: a bug of the shell'],
    ['shell', shellPackage.version, '/upload', 'Error: a rejection'],
  ])
  expect(JSON.stringify(reports)).not.toContain(site.event._id)

  const requests: string[] = []
  page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
  for (let index = 0; index < 5; index += 1) await fail(`one of many: ${index}`, site.frontends.url)
  await waitForReports(5)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  expect(requests.filter((each) => each === 'POST /api/client-errors')).toHaveLength(2)
})
