import { join } from 'node:path'

/** An entry of `packages` in package-lock.json: a package, a workspace, or a link to a workspace. */
export interface LockedPackage {
  version?: string
  integrity?: string
  link?: boolean
  resolved?: string
  inBundle?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** Package entries by their folder. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>

export const parseLockfile = (text: string): LockedPackages =>
  (JSON.parse(text) as { packages: LockedPackages }).packages

/** The folder in which Node finds a package from the folder of another one: inside it, or above. */
export const findPackage = (packages: LockedPackages, folder: string, name: string): string | undefined => {
  const candidate = join(folder, 'node_modules', name)
  if (packages[candidate]) return candidate
  if (folder === '') return undefined
  const above = folder.lastIndexOf('/node_modules/')
  return findPackage(packages, above < 0 ? '' : folder.slice(0, above), name)
}
