import {
  CONTRACT_FILE,
  filesIn,
  manifestProblems,
  routesProblems,
  type FoundRoute,
  type Manifest,
  type ShellContract,
} from '@confetti/federation/contract'
import { federationName, type RemoteName } from '@confetti/federation/remote'
import type { Account } from '@confetti/test-kit'
import type { Page } from 'playwright-core'
import { differenceOf, shownStyles } from './shown-styles.ts'
import type { Site } from './site.ts'

export interface CheckedRemote {
  name: RemoteName
  /** Its `mf-manifest.json`. */
  manifest: string
}

interface Check extends CheckedRemote {
  site: Site
  contract: ShellContract
  /** Who may see its screens; nobody has to be signed in where this is missing. */
  member: Account | undefined
}

const NOT_FOUND = 'There is no such page.'
const failures = ['This page could not be loaded.', 'This page has broken.', NOT_FOUND]

const json = async <T>(url: string): Promise<T> => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.json()) as T
}

/** A page of somebody for whom the remote stands where it is to be checked, and what went wrong on it. */
const visit = async ({ site, name, manifest }: Check, as: Account | undefined) => {
  const page = await site.visit(as && { as })
  const problems: string[] = []
  const asked: string[] = []
  page.on('pageerror', ({ message }) => problems.push(`${new URL(page.url()).pathname} threw: ${message}`))
  page.on('request', (request) => asked.push(request.url()))
  await page.route('**/config.json', async (route) => {
    const config = await json<{ remotes: object }>(route.request().url())
    await route.fulfill({ json: { ...config, remotes: { ...config.remotes, [name]: manifest } } })
  })
  // As React's own tools do: each copy of react-dom on the page makes itself known here.
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
  return { page, problems, asked }
}

/** To an address by the shell's router, as a link leads there: the page is not loaded anew. */
const lead = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

const settled = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
}

/** A screen of the shell's own, with links to the remote's for a member. */
const shellScreen = ({ member }: Check): string => (member ? '/welcome' : '/no-such-page')

const addressOf = ({ site }: Check, path: string): string =>
  `${path.replace(/:\w+/g, site.event._id)}?eventId=${site.event._id}`

/** The routes, asked of the remote as the shell asks. */
const routesOf = (page: Page, { name }: Check): Promise<FoundRoute[] | undefined> =>
  page.evaluate(async (container) => {
    // The shell takes away a remote that it could not use.
    const remote = (window as never)[container] as
      { get: (module: string) => Promise<() => { routes?: unknown }> } | undefined
    const routes = (await remote?.get('./routes'))?.().routes
    if (!Array.isArray(routes)) return undefined
    // A function does not come out of the page; that it is one does.
    return (routes as Record<string, unknown>[]).map(({ path, title, page }) => ({
      path,
      title,
      page: typeof page,
    }))
  }, federationName(name))

const withPages = (routes: FoundRoute[]): FoundRoute[] =>
  routes.map((route) => ({ ...route, page: route.page === 'function' ? () => undefined : undefined }))

const screenProblems = async (page: Page, route: FoundRoute): Promise<string[]> => {
  const path = String(route.path)
  const words = await page.getByRole('heading', { level: 1 }).allInnerTexts()
  const failure = failures.find((failed) => words.includes(failed))
  if (failure) return [`${path} says: ${failure}`]
  const title = `${String(route.title)} · Confetti`
  return [
    ...(words.length === 1 ? [] : [`${path} has ${words.length} headings of level 1.`]),
    ...((await page.title()) === title ? [] : [`${path} has the title ${await page.title()}.`]),
    ...((await page.getByRole('main').count()) === 1 ? [] : [`${path} has not one main landmark.`]),
  ]
}

/** Opens a screen by its address, as the one who may see it. */
const opened = async (check: Check, route: FoundRoute): Promise<string[]> => {
  const { page, problems } = await visit(check, check.member)
  await page.goto(addressOf(check, String(route.path)))
  await settled(page)
  problems.push(...(await screenProblems(page, route)))
  const reacts = await page.evaluate(() => (window as unknown as { renderers: object[] }).renderers.length)
  if (reacts !== 1) problems.push(`${String(route.path)} has ${reacts} copies of React.`)
  await page.context().close()
  return problems
}

/** Opens a screen as those who may not see it: they are led away before the remote is asked for anything. */
const guarded = async (check: Check, route: FoundRoute): Promise<string[]> => {
  const { member, site, manifest } = check
  if (!member) return []
  const other = member === site.admin ? site.organiser : site.admin
  const visitors = [
    { as: undefined, who: 'a guest', end: '/login' },
    { as: other, who: 'a member of the other role', end: '/' },
  ]
  const problems: string[] = []
  for (const { as, who, end } of visitors) {
    const { page, asked } = await visit(check, as)
    await page.goto(addressOf(check, String(route.path)))
    await settled(page)
    const { pathname } = new URL(page.url())
    if (pathname !== end) problems.push(`${String(route.path)} is shown to ${who}.`)
    const own = new URL('.', manifest).href
    if (asked.some((url) => url.startsWith(own)))
      problems.push(`${who} downloads it for ${String(route.path)}.`)
    await page.context().close()
  }
  return problems
}

/** Goes through all screens without loading the page anew, and looks what that has done to the shell's own. */
const walkedThrough = async (check: Check, routes: FoundRoute[], found: Manifest): Promise<string[]> => {
  const { page, problems, asked } = await visit(check, check.member)
  await page.goto(shellScreen(check))
  await settled(page)
  const before = await shownStyles(page)
  const links = await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  for (const route of routes) {
    await lead(page, addressOf(check, String(route.path)))
    await page.waitForFunction((title) => document.title.startsWith(title), String(route.title))
    await settled(page)
  }
  for (const link of links) {
    await lead(page, link)
    await settled(page)
    if (await page.getByRole('heading', { name: NOT_FOUND }).count())
      problems.push(`The shell's link to ${link} leads nowhere.`)
  }
  await lead(page, shellScreen(check))
  await settled(page)
  const difference = differenceOf(before, await shownStyles(page))
  if (difference) problems.push(`Its style sheets change the shell's own screens: ${difference}.`)
  for (const { name, assets } of found.shared) {
    const files = filesIn(assets).map((file) => new URL(file, check.manifest).href)
    if (files.some((file) => asked.includes(file))) problems.push(`It brings its own ${name}.`)
  }
  await page.context().close()
  return problems
}

/**
 * Runs a remote in the site's shell, in a browser, against what that shell publishes. Resolves with what does not
 * hold, in words; with nothing if the remote may be shipped to this shell.
 */
export const problemsOfRemote = async (site: Site, checked: CheckedRemote): Promise<readonly string[]> => {
  const contract = await json<ShellContract>(`${site.frontends.url}/${CONTRACT_FILE}`)
  const area = contract.areas.find(({ remote }) => remote === checked.name)
  if (!area) return [`The shell knows no remote ${checked.name}.`]
  const found = await json<Manifest>(checked.manifest)
  const unfit = manifestProblems(contract, checked.name, found)
  if (unfit.length > 0) return unfit

  const member = area.roles && (area.roles.includes('admin') ? site.admin : site.organiser)
  const check: Check = { ...checked, site, contract, member }
  const first = await visit(check, member)
  await first.page.goto(addressOf(check, area.paths[0] ?? '/'))
  await settled(first.page)
  const routes = await routesOf(first.page, check)
  await first.page.context().close()
  if (!routes) return ['It does not load, or exposes no list of routes.']
  const misshapen = routesProblems(contract, checked.name, withPages(routes))
  if (misshapen.length > 0) return misshapen

  const problems: string[] = []
  for (const route of routes) problems.push(...(await opened(check, route)), ...(await guarded(check, route)))
  return problems.length > 0 ? problems : walkedThrough(check, routes, found)
}
