import { findPackage, type LockedPackages } from './lockfile.ts'

export interface Part {
  name: string
  folder: string
}

/** Makes the code in the image of a service. */
const BUNDLER = 'libs/bundler'

const isService = (folder: string): boolean => folder === 'gateway' || folder.startsWith('services/')
const isFrontend = (folder: string): boolean => folder.startsWith('frontends/')

/** What the lockfile installs into the image of a part: a line for each package, with its version and checksum. */
const installedPackages = (packages: LockedPackages, part: string): string => {
  const visited = new Set<string>()
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
  return [...installed].toSorted().join('\n')
}

/** The services and frontends for which two lockfiles install different packages. */
export const affectedParts = (
  before: LockedPackages,
  after: LockedPackages,
): { services: Part[]; frontends: Part[] } => {
  const affected = Object.keys(after)
    .filter((folder) => isService(folder) || isFrontend(folder))
    .filter((folder) => installedPackages(before, folder) !== installedPackages(after, folder))
    .map((folder) => ({ name: folder.replace(/^.*\//, ''), folder }))
  return {
    services: affected.filter(({ folder }) => isService(folder)),
    frontends: affected.filter(({ folder }) => isFrontend(folder)),
  }
}
