import {
  CONTRACT_FILE,
  listAssetFiles,
  findManifestProblems,
  type Manifest,
  type ShellContract,
} from '@confetti/federation/contract'
import type { RemoteName, SiteConfig } from '@confetti/federation/remote'

const REQUEST_TIMEOUT_MS = 15_000

interface RemoteUpdate {
  config: SiteConfig
  /** The public URL of the shell. */
  site: string
  remote: RemoteName
  version: string
}

const get = async (url: string, headers: Record<string, string> = {}): Promise<Response> => {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).catch(
    (cause: unknown) => {
      throw new Error(`${url} does not respond.`, { cause })
    },
  )
  if (!response.ok) throw new Error(`${url} responded with ${response.status}.`)
  return response
}

const getJson = async <T>(url: string): Promise<T> => {
  const text = await (await get(url)).text()
  try {
    return JSON.parse(text) as T
  } catch {
    throw new Error(`${url} is not JSON.`)
  }
}

/**
 * Returns the URL of the remote's manifest with the wanted version in its path. Throws if the path has no
 * version.
 */
const replaceVersion = ({ config, remote, version }: RemoteUpdate): string => {
  const manifestUrl = config.remotes[remote]
  const newUrl = manifestUrl.replace(/\/remotes\/([^/]+)\/[^/]+\//, `/remotes/$1/${version}/`)
  if (!newUrl.includes(`/remotes/${remote}/${version}/`))
    throw new Error(`${manifestUrl} has no version in its path that could be replaced.`)
  return newUrl
}

/** Lists why a page of the site could not load the remote's files. */
const findFileProblems = async (site: string, manifestUrl: string, manifest: Manifest): Promise<string[]> => {
  const exposed = manifest.exposes.flatMap(({ assets }) => listAssetFiles(assets))
  const files = [manifestUrl, manifest.metaData.remoteEntry.name, ...exposed]
  const { origin } = new URL(site)
  const isCrossOrigin = new URL(manifestUrl).origin !== origin
  const checks = files.map(async (file) => {
    const { href } = new URL(file, manifestUrl)
    const response = await get(href, { Origin: origin })
    await response.body?.cancel()
    const allowedOrigin = response.headers.get('access-control-allow-origin')
    if (response.headers.get('content-type')?.startsWith('text/html'))
      throw new Error(`${href} is an HTML page.`)
    if (isCrossOrigin && allowedOrigin !== '*' && allowedOrigin !== origin)
      throw new Error(`${href} does not allow requests from ${origin}.`)
  })
  const results = await Promise.allSettled(checks)
  return results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).message] : []))
}

/**
 * Returns the site's configuration with another version of one remote, newer or older. Rejects with all
 * problems if that version is incomplete or incompatible with the site's current shell.
 */
export const updateRemoteVersion = async (update: RemoteUpdate): Promise<SiteConfig> => {
  const { config, site, remote, version } = update
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${JSON.stringify(version)} is not a version.`)
  const newUrl = replaceVersion(update)
  const manifestUrl = new URL(newUrl, site).href
  const manifest = await getJson<Manifest>(manifestUrl)
  const contract = await getJson<ShellContract>(new URL(CONTRACT_FILE, site).href)
  const { buildVersion } = manifest.metaData.buildInfo
  const problems = [
    ...(buildVersion === version ? [] : [`The URL serves version ${buildVersion}.`]),
    ...findManifestProblems(contract, remote, manifest),
    ...(await findFileProblems(site, manifestUrl, manifest)),
  ]
  if (problems.length > 0) throw new Error([`${manifestUrl} cannot be used:`, ...problems].join('\n  '))
  return { ...config, remotes: { ...config.remotes, [remote]: newUrl } }
}
