import {
  loadRemote,
  registerPlugins,
  registerRemotes,
  type ModuleFederationRuntimePlugin,
} from '@module-federation/enhanced/runtime'
import { takePrefetched } from '@confetti/api-client/prefetched'
import type { Manifest } from './contract.ts'
import { federationName, type Remote, type RemoteName, type SiteConfig } from './remote.ts'

const MANIFEST_TIMEOUT_MS = 8_000
const ENTRY_TIMEOUT_MS = 12_000

const sendRequest = (url: string) => {
  const controller = new AbortController()
  return { response: fetch(url, { cache: 'no-cache', signal: controller.signal }), controller }
}

/**
 * Returns the body of a file: of its prefetched response the first time, otherwise of a new request. Rejects if the
 * status is an error, or if the body is not complete after `timeoutMs`.
 */
export const fetchText = async (url: string, timeoutMs: number): Promise<string> => {
  const request = takePrefetched(url) ?? sendRequest(url)
  const timer = setTimeout(() => request.controller.abort(new Error(`${url} has timed out.`)), timeoutMs)
  try {
    const response = await request.response
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    return await response.text()
  } finally {
    clearTimeout(timer)
  }
}

interface Release {
  remote: RemoteName
  version: string
  /** The URL of the folder with the files of the remote. */
  baseUrl: string
}

let releases: readonly Release[] = []

/** Returns the version of a remote, or undefined if its manifest was never loaded. */
export const getVersion = (remote: RemoteName): string | undefined =>
  releases.find((each) => each.remote === remote)?.version

/** Returns the remote whose file comes first in an error's stack, or undefined if it is none of a remote. */
export const findRemoteInStack = (stack: string): RemoteName | undefined => {
  const [url = ''] = /https?:\/\/\S+/.exec(stack) ?? []
  return releases.find(({ baseUrl }) => url.startsWith(baseUrl))?.remote
}

// The mode of the preload links of the shell's page and of the bundler's chunks, or the browser loads a file twice.
const setCrossOrigin = (element: HTMLLinkElement | HTMLScriptElement, url: string): void => {
  if (new URL(url).origin !== location.origin) element.crossOrigin = 'anonymous'
}

const createScript = (url: string): HTMLScriptElement => {
  const script = document.createElement('script')
  script.src = url
  setCrossOrigin(script, url)
  return script
}

const entryPlugin: ModuleFederationRuntimePlugin = {
  name: 'entries',
  createScript: ({ url }) => ({ script: createScript(url), timeout: ENTRY_TIMEOUT_MS }),
}

/** Lets the browser load a script together with the entry that will ask for it. */
const preload = (url: string): void => {
  const link = document.createElement('link')
  link.rel = 'preload'
  link.as = 'script'
  link.href = url
  setCrossOrigin(link, url)
  // Chromium keeps an error for the next script with this address, which may be that of a retry: this one takes it.
  link.onerror = () => {
    const script = createScript(url)
    script.onerror = () => script.remove()
    document.head.append(script)
  }
  document.head.append(link)
}

/**
 * Creates `load(name)`, which loads a remote's routes. A loaded remote is cached. After a failure the next call registers
 * the remote again, because the runtime caches what it has loaded in part.
 */
export const createRemoteLoader = ({ remotes }: Pick<SiteConfig, 'remotes'>) => {
  const loads = new Map<RemoteName, Promise<Remote>>()
  registerPlugins([entryPlugin])

  /** Tells the runtime where the entry is. Its own support of manifests would be 1.5 kB of a guest's download. */
  const register = async (name: RemoteName): Promise<void> => {
    const manifestUrl = new URL(remotes[name], location.href).href
    const { metaData, exposes } = JSON.parse(await fetchText(manifestUrl, MANIFEST_TIMEOUT_MS)) as Manifest
    const toUrl = (file: string): string => new URL(file, manifestUrl).href
    const release = { remote: name, version: metaData.buildInfo.buildVersion, baseUrl: toUrl('.') }
    // Not again after a failure: Chromium would use what it has preloaded then, also an error.
    if (getVersion(name) === undefined)
      for (const { assets } of exposes) for (const file of assets.js.sync) preload(toUrl(file))
    releases = [...releases.filter((each) => each.remote !== name), release]
    const entry = { name: federationName(name), entry: toUrl(metaData.remoteEntry.name) }
    registerRemotes([entry], { force: true })
  }

  const load = async (name: RemoteName): Promise<Remote> => {
    try {
      await register(name)
      const remote = await loadRemote<Remote>(`${federationName(name)}/routes`)
      if (!Array.isArray(remote?.routes)) throw new Error(`The remote ${name} exposes no routes.`)
      return remote
    } catch (error) {
      loads.delete(name)
      throw error
    }
  }

  return (name: RemoteName): Promise<Remote> => {
    const loading = loads.get(name) ?? load(name)
    loads.set(name, loading)
    return loading
  }
}
