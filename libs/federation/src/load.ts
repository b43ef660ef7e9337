import {
  loadRemote,
  registerPlugins,
  registerRemotes,
  type ModuleFederationRuntimePlugin,
} from '@module-federation/enhanced/runtime'
import type { Manifest } from './contract.ts'
import { fetchText } from './prefetch.ts'
import { recordRelease } from './releases.ts'
import { federationName, remoteNames, type Remote, type RemoteName, type SiteConfig } from './remote.ts'

const MANIFEST_TIMEOUT_MS = 8_000
const ENTRY_TIMEOUT_MS = 12_000

/** The federation runtime has no timeout for manifests. */
const timeoutPlugin: ModuleFederationRuntimePlugin = {
  name: 'timeouts',
  fetch: async (url) => {
    const text = await fetchText(url, MANIFEST_TIMEOUT_MS)
    recordRelease(url, JSON.parse(text) as Manifest)
    return new Response(text)
  },
  createScript: ({ url }) => {
    const script = document.createElement('script')
    script.src = url
    // The same mode as the preload links and the bundler's chunks, or the browser loads the file twice.
    if (new URL(url).origin !== location.origin) script.crossOrigin = 'anonymous'
    return { script, timeout: ENTRY_TIMEOUT_MS }
  },
}

/**
 * Creates `load(name)`, which loads a remote's routes. A loaded remote is cached. After a failure the next call loads
 * the remote again from a new URL, because the runtime caches what it has loaded in part.
 */
export const createRemoteLoader = ({ remotes }: Pick<SiteConfig, 'remotes'>) => {
  const loads = new Map<RemoteName, Promise<Remote>>()
  const failures = new Map<RemoteName, number>()

  const toRegistration = (name: RemoteName) => {
    const retry = failures.get(name) ?? 0
    const entry = new URL(remotes[name], location.href)
    if (retry > 0) entry.searchParams.set('retry', String(retry))
    return { name: federationName(name), entry: entry.href }
  }

  registerPlugins([timeoutPlugin])
  registerRemotes(remoteNames.filter((name) => remotes[name]).map(toRegistration))

  const load = async (name: RemoteName): Promise<Remote> => {
    try {
      const remote = await loadRemote<Remote>(`${federationName(name)}/routes`)
      if (!Array.isArray(remote?.routes)) throw new Error(`The remote ${name} exposes no routes.`)
      return remote
    } catch (error) {
      loads.delete(name)
      failures.set(name, (failures.get(name) ?? 0) + 1)
      registerRemotes([toRegistration(name)], { force: true })
      throw error
    }
  }

  return (name: RemoteName): Promise<Remote> => {
    const loading = loads.get(name) ?? load(name)
    loads.set(name, loading)
    return loading
  }
}
