import { findPackage, type LockedPackages } from './lockfile.ts'

export interface Part {
  name: string
  folder: string
}

/** Makes the code in the image of a service. */
const BUNDLER = 'libs/bundler'

/** What the image and the pipeline of every service are made from. */
const sharedByServices = /^(images\/service\.Dockerfile|\.github\/(actions\/.*|workflows\/services?\.yml))$/

const isService = (folder: string): boolean => /^(gateway|services\/[^/]+)$/.test(folder)
const isFrontend = (folder: string): boolean => /^frontends\/[^/]+$/.test(folder)

/** The folders of this repository that a part is built from, and what the lockfile installs into its image. */
interface Sources {
  folders: ReadonlySet<string>
  /** A line for each package, with its version and checksum. */
  installed: string
}

const sourcesOf = (packages: LockedPackages, part: string): Sources => {
  const visited = new Set<string>()
  const folders = new Set<string>()
  const installed = new Set<string>()
  const visit = (folder: string): void => {
    if (visited.has(folder)) return
    visited.add(folder)
    const entry = packages[folder]
    if (entry?.link) {
      visit(entry.resolved ?? '')
      return
    }
    if (entry?.integrity) installed.add(`${folder} ${entry.version} ${entry.integrity}`)
    else folders.add(folder)
    const names = Object.keys({
      ...entry?.dependencies,
      ...entry?.optionalDependencies,
      ...entry?.peerDependencies,
      // The tools that build the frontend.
      ...(isFrontend(folder) && entry?.devDependencies),
    })
    for (const name of names) {
      const found = findPackage(packages, folder, name)
      if (found) visit(found)
    }
  }
  visit(part)
  if (isService(part)) visit(BUNDLER)
  return { folders, installed: [...installed].toSorted().join('\n') }
}

const toPart = (folder: string): Part => ({ name: folder.replace(/^.*\//, ''), folder })

const hasOtherPackages = (before: LockedPackages, after: LockedPackages, folder: string): boolean =>
  sourcesOf(before, folder).installed !== sourcesOf(after, folder).installed

/** The services, the gateway and the frontends that are built from one of `files`; documents do not count. */
export const partsBuiltFrom = (packages: LockedPackages, files: readonly string[]): Part[] => {
  const code = files.filter((file) => !file.endsWith('.md'))
  return Object.keys(packages)
    .filter((folder) => isService(folder) || isFrontend(folder))
    .filter((folder) => {
      const { folders } = sourcesOf(packages, folder)
      return code.some((file) => [...folders].some((source) => file.startsWith(`${source}/`)))
    })
    .map(toPart)
}

/** The services for which two lockfiles install different packages, or that are built from one of `changedFiles`. */
export const affectedServices = (
  before: LockedPackages,
  after: LockedPackages,
  changedFiles: readonly string[],
): Part[] => {
  const affectsAll = changedFiles.some((file) => sharedByServices.test(file))
  const built = new Set(partsBuiltFrom(after, changedFiles).map(({ folder }) => folder))
  return Object.keys(after)
    .filter(isService)
    .filter((folder) => affectsAll || built.has(folder) || hasOtherPackages(before, after, folder))
    .map(toPart)
}

/** The frontends for which two lockfiles install different packages. */
export const affectedFrontends = (before: LockedPackages, after: LockedPackages): Part[] =>
  Object.keys(after)
    .filter(isFrontend)
    .filter((folder) => hasOtherPackages(before, after, folder))
    .map(toPart)
