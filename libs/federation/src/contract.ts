import { federationName, type RemoteName } from './remote.ts'
import { findRouteGroup, type RouteGroup } from './route-groups.ts'

/** What a remote can rely on. The shell's build publishes it beside its page. */
export interface ShellContract {
  /** The shell's version. */
  shell: string
  /** The module that a remote has to expose. */
  exposes: string
  /** The route groups. Published under this name since the first version of the contract. */
  areas: readonly RouteGroup[]
  /** The packages that the shell shares, with its versions. */
  shared: Readonly<Record<string, string>>
}

/** The name under which the shell serves its contract. */
export const CONTRACT_FILE = 'remote-contract.json'
export const EXPOSED_MODULE = './routes'

/** The parts of a remote's `mf-manifest.json` that the checks read. */
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

export const listAssetFiles = ({ js, css }: Assets): readonly string[] => [
  ...js.sync,
  ...js.async,
  ...css.sync,
  ...css.async,
]

const parseVersion = (version: string): readonly number[] => version.split('.').map(Number)

/**
 * Whether a version satisfies a range. It supports only the caret ranges that this repository's builds write: `^1`,
 * `^1.2` and `^1.2.3`.
 */
export const satisfies = (version: string, range: string): boolean => {
  if (!/^\^[1-9]\d*(\.\d+){0,2}$/.test(range) || !/^\d+\.\d+\.\d+$/.test(version)) return false
  const actual = parseVersion(version)
  const minimum = parseVersion(range.slice(1))
  if (actual[0] !== minimum[0]) return false
  const differing = [1, 2].find((index) => actual[index] !== (minimum[index] ?? 0))
  return differing === undefined || (actual[differing] ?? 0) > (minimum[differing] ?? 0)
}

/** Returns why the shell cannot run a remote with this manifest, as sentences; an empty list if it can. */
export const findManifestProblems = (
  contract: ShellContract,
  remote: RemoteName,
  manifest: Manifest,
): readonly string[] => {
  const name = federationName(remote)
  const exposedModules = manifest.exposes.map(({ path }) => path)
  const sharedProblems = manifest.shared.flatMap((required) => {
    const version = contract.shared[required.name]
    if (version === undefined) return [`It shares ${required.name}, which the shell does not have.`]
    if (!required.singleton) return [`It shares ${required.name}, but not as a singleton.`]
    if (satisfies(version, required.requiredVersion)) return []
    return [`It needs ${required.name} ${required.requiredVersion}; the shell has ${version}.`]
  })
  return [
    ...(manifest.name === name ? [] : [`It is named ${manifest.name} instead of ${name}.`]),
    ...(exposedModules.includes(contract.exposes) ? [] : [`It does not expose ${contract.exposes}.`]),
    ...(manifest.shared.some((shared) => shared.name === 'react') ? [] : ['It does not share react.']),
    ...sharedProblems,
  ]
}

/** A route as a remote exposes it, before validation. */
export interface UnverifiedRoute {
  path?: unknown
  title?: unknown
  page?: unknown
}

const isNonBlankString = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Returns why the shell cannot use these routes of a remote, as sentences; an empty list if it can. */
export const findRouteProblems = (
  { areas: routeGroups }: ShellContract,
  remote: RemoteName,
  routes: readonly UnverifiedRoute[],
): readonly string[] => {
  const paths = routes.map(({ path }) => path)
  const routeProblems = routes.flatMap(({ path, title, page }, index) => {
    if (!isNonBlankString(path) || !path.startsWith('/')) return [`Route ${index + 1} has no absolute path.`]
    return [
      ...(isNonBlankString(title) ? [] : [`${path} has no title.`]),
      ...(typeof page === 'function' ? [] : [`${path} has no page() function.`]),
      ...(findRouteGroup(path, routeGroups)?.remote === remote
        ? []
        : [`${path} is not a path of ${remote}.`]),
      ...(paths.indexOf(path) === index ? [] : [`${path} is defined twice.`]),
    ]
  })
  // Every public path is a page that others link to: QR codes to /upload, the shell to /login.
  const missingPaths = routeGroups
    .filter((group) => group.remote === remote && !group.roles)
    .flatMap((group) => group.paths)
    .filter((path) => !paths.includes(path))
  return [...routeProblems, ...missingPaths.map((path) => `It has no page for ${path}.`)]
}
