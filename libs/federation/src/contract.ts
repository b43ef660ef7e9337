import { areaOf, type Area } from './areas.ts'
import { federationName, type RemoteName } from './remote.ts'

/** What remotes may rely on, as the shell's build publishes it beside its page. */
export interface ShellContract {
  /** The shell's version. */
  shell: string
  /** The module that a remote exposes. */
  exposes: string
  areas: readonly Area[]
  /** The packages that exist once on a page, in the shell's versions. */
  shared: Readonly<Record<string, string>>
}

/** Where the shell serves its contract. */
export const CONTRACT_FILE = 'remote-contract.json'
export const EXPOSED = './routes'

/** What this reads of a remote's `mf-manifest.json`. */
export interface Manifest {
  name: string
  metaData: { buildInfo: { buildVersion: string }; remoteEntry: { name: string } }
  exposes: readonly { path: string; assets: Assets }[]
  shared: readonly {
    name: string
    version: string
    singleton: boolean
    requiredVersion: string
    assets: Assets
  }[]
}

type Files = Readonly<Record<'sync' | 'async', readonly string[]>>
type Assets = Readonly<Record<'js' | 'css', Files>>

export const filesIn = ({ js, css }: Assets): readonly string[] => [
  ...js.sync,
  ...js.async,
  ...css.sync,
  ...css.async,
]

const numbers = (version: string): readonly number[] => version.split('.').map(Number)

/** Whether a version is in a range of the one kind that shell and remotes are built with: `^1`, `^1.2`, `^1.2.3`. */
export const satisfies = (version: string, range: string): boolean => {
  if (!/^\^[1-9]\d*(\.\d+){0,2}$/.test(range) || !/^\d+\.\d+\.\d+$/.test(version)) return false
  const has = numbers(version)
  const wanted = numbers(range.slice(1))
  if (has[0] !== wanted[0]) return false
  const differs = [1, 2].find((place) => has[place] !== (wanted[place] ?? 0))
  return differs === undefined || (has[differs] ?? 0) > (wanted[differs] ?? 0)
}

/** What in a remote's manifest this shell cannot take, in words; nothing if it can. */
export const manifestProblems = (
  contract: ShellContract,
  remote: RemoteName,
  manifest: Manifest,
): readonly string[] => {
  const name = federationName(remote)
  const exposed = manifest.exposes.map(({ path }) => path)
  const sharedProblems = manifest.shared.flatMap((wanted) => {
    const has = contract.shared[wanted.name]
    if (has === undefined) return [`It shares ${wanted.name}, which the shell does not have.`]
    if (!wanted.singleton) return [`It would bring a ${wanted.name} of its own: it is no singleton.`]
    if (satisfies(has, wanted.requiredVersion)) return []
    return [`It needs ${wanted.name} ${wanted.requiredVersion}; the shell has ${has}.`]
  })
  return [
    ...(manifest.name === name ? [] : [`It is named ${manifest.name} instead of ${name}.`]),
    ...(exposed.includes(contract.exposes) ? [] : [`It does not expose ${contract.exposes}.`]),
    ...(manifest.shared.some((shared) => shared.name === 'react') ? [] : ['It does not share react.']),
    ...sharedProblems,
  ]
}

/** A route as it was found in a remote: nothing of it is known to be right. */
export interface FoundRoute {
  path?: unknown
  title?: unknown
  page?: unknown
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** What in a remote's routes this shell cannot take, in words; nothing if it can. */
export const routesProblems = (
  { areas }: ShellContract,
  remote: RemoteName,
  routes: readonly FoundRoute[],
): readonly string[] => {
  const paths = routes.map(({ path }) => path)
  const routeProblems = routes.flatMap(({ path, title, page }, index) => {
    if (!isText(path) || !path.startsWith('/')) return [`Route ${index + 1} has no path from the root.`]
    return [
      ...(isText(title) ? [] : [`${path} has no title.`]),
      ...(typeof page === 'function' ? [] : [`${path} has no page() that brings its code.`]),
      ...(areaOf(path, areas)?.remote === remote ? [] : [`${path} is not an address of ${remote}.`]),
      ...(paths.indexOf(path) === index ? [] : [`${path} is there twice.`]),
    ]
  })
  // Addresses that are not a whole tree are pages, and others link to them: a QR code to /upload, the shell to /login.
  const missing = areas
    .filter((area) => area.remote === remote && !area.roles)
    .flatMap((area) => area.paths)
    .filter((path) => !paths.includes(path))
  return [...routeProblems, ...missing.map((path) => `It has no page for ${path}.`)]
}
