import {
  CONTRACT_FILE,
  filesIn,
  manifestProblems,
  type Manifest,
  type ShellContract,
} from '@confetti/federation/contract'
import type { RemoteName, SiteConfig } from '@confetti/federation/remote'

const LIMIT_MS = 15_000

interface Wish {
  config: SiteConfig
  /** Where the shell is, from outside. */
  site: string
  remote: RemoteName
  version: string
}

const get = async (url: string, headers: Record<string, string> = {}): Promise<Response> => {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(LIMIT_MS) }).catch(
    (cause: unknown) => {
      throw new Error(`${url} does not answer.`, { cause })
    },
  )
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  return response
}

const getJson = async <T>(url: string): Promise<T> => {
  const text = await (await get(url)).text()
  try {
    return JSON.parse(text) as T
  } catch {
    throw new Error(`${url} is no JSON.`)
  }
}

/** The manifest's address with another version in its path. */
const addressedTo = ({ config, remote, version }: Wish): string => {
  const address = config.remotes[remote]
  const pointed = address.replace(/\/remotes\/([^/]+)\/[^/]+\//, `/remotes/$1/${version}/`)
  if (!pointed.includes(`/remotes/${remote}/${version}/`))
    throw new Error(`${address} has no version in its path: there is nothing to point at.`)
  return pointed
}

/** What of a remote's files a page of the site could not have, in words. */
const missingFiles = async (site: string, manifestUrl: string, manifest: Manifest): Promise<string[]> => {
  const exposed = manifest.exposes.flatMap(({ assets }) => filesIn(assets))
  const files = [manifestUrl, manifest.metaData.remoteEntry.name, ...exposed]
  const { origin } = new URL(site)
  const isElsewhere = new URL(manifestUrl).origin !== origin
  const checked = files.map(async (file) => {
    const { href } = new URL(file, manifestUrl)
    const response = await get(href, { Origin: origin })
    await response.body?.cancel()
    const allowed = response.headers.get('access-control-allow-origin')
    if (response.headers.get('content-type')?.startsWith('text/html')) throw new Error(`${href} is a page.`)
    if (isElsewhere && allowed !== '*' && allowed !== origin)
      throw new Error(`${href} may not be read by ${origin}.`)
  })
  const results = await Promise.allSettled(checked)
  return results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).message] : []))
}

/**
 * The site's configuration with one remote at another version, newer or older. Rejects, with all that is wrong, if
 * that version is not there whole, or is not for the shell that the site has now.
 */
export const pointedConfig = async (wish: Wish): Promise<SiteConfig> => {
  const { config, site, remote, version } = wish
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is no version.`)
  const address = addressedTo(wish)
  const manifestUrl = new URL(address, site).href
  const manifest = await getJson<Manifest>(manifestUrl)
  const contract = await getJson<ShellContract>(new URL(CONTRACT_FILE, site).href)
  const { buildVersion } = manifest.metaData.buildInfo
  const problems = [
    ...(buildVersion === version ? [] : [`What answers there is version ${buildVersion}.`]),
    ...manifestProblems(contract, remote, manifest),
    ...(await missingFiles(site, manifestUrl, manifest)),
  ]
  if (problems.length > 0) throw new Error([`${manifestUrl} cannot be taken up:`, ...problems].join('\n  '))
  return { ...config, remotes: { ...config.remotes, [remote]: address } }
}
