import {
  loadRemote,
  registerPlugins,
  registerRemotes,
  type ModuleFederationRuntimePlugin,
} from '@module-federation/enhanced/runtime'
import { fetchEarly } from './early.ts'
import { federationName, remoteNames, type Remote, type RemoteName, type SiteConfig } from './remote.ts'

const MANIFEST_LIMIT_MS = 8_000
const ENTRY_LIMIT_MS = 12_000

/** By itself the runtime would wait for ever for a manifest that never comes. */
const timeLimits: ModuleFederationRuntimePlugin = {
  name: 'time-limits',
  fetch: async (url, init) => {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), MANIFEST_LIMIT_MS)
    try {
      const response = await fetchEarly(url, { ...init, signal: controller.signal })
      if (!response.ok) throw new Error(`${url} answered ${response.status}`)
      // Read here, so that the limit holds for the whole of it.
      return new Response(await response.text(), { headers: response.headers })
    } finally {
      clearTimeout(timer)
    }
  },
  createScript: ({ url }) => {
    const script = document.createElement('script')
    script.src = url
    // As the bundler's own loading does it, and the page that asks ahead.
    if (new URL(url).origin !== location.origin) script.crossOrigin = 'anonymous'
    return { script, timeout: ENTRY_LIMIT_MS }
  },
}

/**
 * Makes `load(name)`, which brings a remote's screens. A remote that has come is kept. One that did not rejects, and
 * the next `load` of it tries anew, under another address, so that nothing half-loaded is taken for it.
 */
export const makeLoadRemote = ({ remotes }: Pick<SiteConfig, 'remotes'>) => {
  const loads = new Map<RemoteName, Promise<Remote>>()
  const tries = new Map<RemoteName, number>()

  const addressed = (name: RemoteName) => {
    const retry = tries.get(name) ?? 0
    const entry = new URL(remotes[name], location.href)
    if (retry > 0) entry.searchParams.set('retry', String(retry))
    return { name: federationName(name), entry: entry.href }
  }

  registerPlugins([timeLimits])
  registerRemotes(remoteNames.filter((name) => remotes[name]).map(addressed))

  const load = async (name: RemoteName): Promise<Remote> => {
    try {
      const remote = await loadRemote<Remote>(`${federationName(name)}/routes`)
      if (!Array.isArray(remote?.routes)) throw new Error(`The remote ${name} exposes no routes.`)
      return remote
    } catch (error) {
      loads.delete(name)
      tries.set(name, (tries.get(name) ?? 0) + 1)
      registerRemotes([addressed(name)], { force: true })
      throw error
    }
  }

  return (name: RemoteName): Promise<Remote> => {
    const loading = loads.get(name) ?? load(name)
    loads.set(name, loading)
    return loading
  }
}
