import {
  CONTRACT_FILE,
  listAssetFiles,
  findManifestProblems,
  findRouteProblems,
  type UnverifiedRoute,
  type Manifest,
  type ShellContract,
} from '@confetti/federation/contract'
import { findRouteGroup, type RouteGroup } from '@confetti/federation/route-groups'
import { federationName, type RemoteName } from '@confetti/federation/remote'
import type { Account } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { describeStyleChange, readComputedStyles } from './computed-styles.ts'
import { navigateInShell } from './navigate.ts'
import { waitForTitle } from './screen.ts'
import type { Site } from './site.ts'

export interface RemoteUnderTest {
  name: RemoteName
  /** The URL of its `mf-manifest.json`. */
  manifestUrl: string
}

interface CheckContext extends RemoteUnderTest {
  site: Site
  contract: ShellContract
  /** An account that may see the first screens of the remote; undefined if they need no sign-in. */
  member: Account | undefined
}

const TITLE_TIMEOUT_MS = 10_000
const REDIRECT_TIMEOUT_MS = 10_000
const NOT_FOUND = 'Page not found'
const failureHeadings = ["Couldn't load this page", 'Something went wrong on this page', NOT_FOUND]

const fetchJson = async <T>(url: string): Promise<T> => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`GET ${url} returned ${response.status}`)
  return (await response.json()) as T
}

/** Opens a page whose shell loads the remote under test. Records its errors, its requests and its copies of React. */
const openInstrumentedPage = async (
  { site, name, manifestUrl }: CheckContext,
  account: Account | undefined,
) => {
  const page = await site.newPage(account && { account })
  const problems: string[] = []
  const requestedUrls: string[] = []
  page.on('pageerror', ({ message }) => problems.push(`${new URL(page.url()).pathname} threw: ${message}`))
  page.on('request', (request) => requestedUrls.push(request.url()))
  await page.route('**/config.json', async (route) => {
    const config = await fetchJson<{ remotes: object }>(route.request().url())
    await route.fulfill({ json: { ...config, remotes: { ...config.remotes, [name]: manifestUrl } } })
  })
  // A stream never lets the network become idle. A page polls without it.
  await page.route('**/api/live/**', (route) => route.abort())
  // Each copy of react-dom registers itself with the hook of the React developer tools.
  await page.addInitScript(() => {
    const renderers: object[] = []
    Object.assign(window, {
      renderers,
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        inject: (renderer: object) => renderers.push(renderer),
        onCommitFiberRoot: () => undefined,
        onCommitFiberUnmount: () => undefined,
        onPostCommitFiberRoot: () => undefined,
      },
    })
  })
  return { page, problems, requestedUrls }
}

const waitForIdle = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
}

/** Navigates to a path of the sidebar, and waits until the router has rendered it: the heading may be the old one. */
const navigateToLink = async (page: Page, path: string): Promise<void> => {
  await navigateInShell(page, path)
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.locator(`a[href="${path}"][aria-current=page]`).waitFor()
  await waitForIdle(page)
}

/** The path of a screen of the shell itself. For a member it has links to the screens of the remote. */
const shellPath = ({ member }: CheckContext): string => (member ? '/welcome' : '/no-such-page')

const pathWithIds = ({ site }: CheckContext, path: string): string =>
  `${path.replace(':code', site.event.shortCode ?? '').replace(/:\w+/g, site.event._id)}?eventId=${site.event._id}`

/** Reads the routes that the remote exposes, through the same container as the shell. */
const readRoutes = (page: Page, { name }: CheckContext): Promise<UnverifiedRoute[] | undefined> =>
  page.evaluate(async (container) => {
    // The shell removes the container of a remote that failed to load.
    const remote = (window as never)[container] as
      { get: (module: string) => Promise<() => { routes?: unknown }> } | undefined
    const routes = (await remote?.get('./routes'))?.().routes
    if (!Array.isArray(routes)) return undefined
    // Functions cannot be serialised, so only their type is returned.
    return (routes as Record<string, unknown>[]).map(({ path, title, page }) => ({
      path,
      title,
      page: typeof page,
    }))
  }, federationName(name))

const restorePageFunctions = (routes: UnverifiedRoute[]): UnverifiedRoute[] =>
  routes.map((route) => ({ ...route, page: route.page === 'function' ? () => undefined : undefined }))

const rolesOf = ({ contract }: CheckContext, { path }: UnverifiedRoute): RouteGroup['roles'] =>
  findRouteGroup(String(path), contract.areas)?.roles

/** An account that may see a screen; undefined if it needs no sign-in. */
const memberFor = (site: Site, roles: RouteGroup['roles']): Account | undefined =>
  roles && (roles.includes('admin') ? site.admin : site.organiser)

const findScreenProblems = async (page: Page, route: UnverifiedRoute): Promise<string[]> => {
  const path = String(route.path)
  const headings = await page.getByRole('heading', { level: 1 }).allInnerTexts()
  const failure = failureHeadings.find((heading) => headings.includes(heading))
  if (failure) return [`${path} shows: ${failure}`]
  // It is set some moments after the screen is shown.
  const hasTitle = await waitForTitle(page, String(route.title), { timeout: TITLE_TIMEOUT_MS }).then(
    () => true,
    () => false,
  )
  const mainCount = await page.getByRole('main').count()
  return [
    ...(headings.length === 1 ? [] : [`${path} has ${headings.length} headings of level 1.`]),
    ...(hasTitle ? [] : [`${path} has the title ${await page.title()}.`]),
    ...(mainCount === 1 ? [] : [`${path} has ${mainCount} main landmarks.`]),
  ]
}

const findCopiesOfReact = async (page: Page, { path }: UnverifiedRoute): Promise<string[]> => {
  const count = await page.evaluate(() => (window as unknown as { renderers: object[] }).renderers.length)
  return count === 1 ? [] : [`${String(path)} has ${count} copies of React.`]
}

/** They must be redirected before anything of the remote is requested. */
const findMissingProtection = async (
  { contract, name, manifestUrl }: CheckContext,
  account: Account | undefined,
  { path }: UnverifiedRoute,
  page: Page,
  requestedUrls: readonly string[],
): Promise<string[]> => {
  const description = account ? 'a member of the other role' : 'a guest'
  const target = account ? '/' : '/login'
  const isRedirected = await page
    .waitForURL(({ pathname }) => pathname === target, { timeout: REDIRECT_TIMEOUT_MS })
    .then(
      () => true,
      () => false,
    )
  // The page that they are redirected to is one of this remote.
  const isPublicRemote = contract.areas.some((area) => area.remote === name && !area.roles)
  const baseUrl = new URL('.', manifestUrl).href
  const isRequested = !isPublicRemote && requestedUrls.some((url) => url.startsWith(baseUrl))
  return [
    ...(isRedirected ? [] : [`${String(path)} is shown to ${description}.`]),
    ...(isRequested ? [`${String(path)} makes ${description} download code of the remote.`] : []),
  ]
}

/** Loads the screens that an account may see, and navigates to those that it may not see, one after the other. */
const checkScreens = async (
  check: CheckContext,
  account: Account | undefined,
  routes: readonly UnverifiedRoute[],
): Promise<string[]> => {
  const { page, problems, requestedUrls } = await openInstrumentedPage(check, account)
  for (const route of routes) {
    const roles = rolesOf(check, route)
    const path = pathWithIds(check, String(route.path))
    requestedUrls.splice(0)
    if (memberFor(check.site, roles) === account) {
      await page.goto(path)
      await waitForIdle(page)
      problems.push(...(await findScreenProblems(page, route)), ...(await findCopiesOfReact(page, route)))
    } else if (roles && !(account && roles.includes(account.user.role))) {
      if (page.url() === 'about:blank') await page.goto(path)
      else await navigateInShell(page, path)
      await waitForIdle(page)
      problems.push(...(await findMissingProtection(check, account, route, page, requestedUrls)))
    }
  }
  await page.context().close()
  return problems
}

/** Visits all screens within one document, and checks that the shell's own screen and shared packages are unaffected. */
const checkShellIsUnaffected = async (
  check: CheckContext,
  routes: UnverifiedRoute[],
  manifest: Manifest,
): Promise<string[]> => {
  const { page, problems, requestedUrls } = await openInstrumentedPage(check, check.member)
  await page.goto(shellPath(check))
  await waitForIdle(page)
  const stylesBefore = await readComputedStyles(page)
  const links = await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const visibleRoutes = routes.filter(
    (route) => memberFor(check.site, rolesOf(check, route)) === check.member,
  )
  for (const route of visibleRoutes) {
    await navigateInShell(page, pathWithIds(check, String(route.path)))
    await page.waitForFunction((title) => document.title.startsWith(title), String(route.title))
    await waitForIdle(page)
  }
  for (const link of links) {
    await navigateToLink(page, link)
    if (await page.getByRole('heading', { name: NOT_FOUND }).count())
      problems.push(`The shell's link to ${link} is broken.`)
  }
  if (check.member) await navigateToLink(page, shellPath(check))
  else {
    await navigateInShell(page, shellPath(check))
    await page.getByRole('heading', { name: NOT_FOUND }).waitFor()
    await waitForIdle(page)
  }
  const styleChange = describeStyleChange(stylesBefore, await readComputedStyles(page))
  if (styleChange) problems.push(`Its style sheets change the shell's own screens: ${styleChange}.`)
  for (const { name, assets } of manifest.shared) {
    const files = listAssetFiles(assets).map((file) => new URL(file, check.manifestUrl).href)
    if (files.some((file) => requestedUrls.includes(file))) problems.push(`It loads its own copy of ${name}.`)
  }
  await page.context().close()
  return problems
}

/**
 * Runs a remote in the shell of the site, in a browser, and checks it against the contract that the shell publishes.
 * Returns a description of each violation; none if this shell can load the remote.
 */
export const findRemoteProblems = async (site: Site, remote: RemoteUnderTest): Promise<readonly string[]> => {
  const contract = await fetchJson<ShellContract>(`${site.frontends.url}/${CONTRACT_FILE}`)
  const area = contract.areas.find((each) => each.remote === remote.name)
  if (!area) return [`The shell has no remote ${remote.name}.`]
  const manifest = await fetchJson<Manifest>(remote.manifestUrl)
  const invalidManifest = findManifestProblems(contract, remote.name, manifest)
  if (invalidManifest.length > 0) return invalidManifest

  const member = memberFor(site, area.roles)
  const check: CheckContext = { ...remote, site, contract, member }
  const first = await openInstrumentedPage(check, member)
  await first.page.goto(pathWithIds(check, area.paths[0] ?? '/'))
  await waitForIdle(first.page)
  const routes = await readRoutes(first.page, check)
  await first.page.context().close()
  if (!routes) return ['It cannot be loaded, or does not expose a list of routes.']
  const invalidRoutes = findRouteProblems(contract, remote.name, restorePageFunctions(routes))
  if (invalidRoutes.length > 0) return invalidRoutes

  const accounts = [undefined, site.organiser, site.admin]
  const checks = await Promise.all(accounts.map((account) => checkScreens(check, account, routes)))
  const problems = checks.flat()
  return problems.length > 0 ? problems : checkShellIsUnaffected(check, routes, manifest)
}
