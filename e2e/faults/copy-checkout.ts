import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const excludedNames = new Set(['node_modules', 'dist', 'coverage', '.git', '.confetti'])
// Where npm may install packages that a single workspace needs.
const workspaceFolders = ['gateway', 'e2e', 'ops', 'simulation', 'services/*', 'libs/*']

const listNames = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/**
 * Links each installed package. The links of @confetti packages are copied as they are: they are relative, so that
 * they lead to the workspaces of the copy.
 */
const linkPackages = async (from: string, to: string): Promise<void> => {
  await mkdir(to)
  for (const name of await listNames(from))
    if (name === '@confetti')
      await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    else await symlink(join(from, name), join(to, name))
}

/** Copies the checkout at `root`, with links to its installed packages. Returns the folder of the copy. */
export const copyCheckout = async (root: string): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'confetti-seeded-'))
  await cp(root, copy, { recursive: true, filter: (path) => !excludedNames.has(basename(path)) })
  await linkPackages(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const pattern of workspaceFolders) {
    const parent = pattern.replace('/*', '')
    const folders = pattern.endsWith('*')
      ? (await listNames(join(root, parent))).map((name) => join(parent, name))
      : [parent]
    for (const folder of folders) {
      const packages = join(root, folder, 'node_modules')
      if ((await listNames(packages)).length > 0)
        await linkPackages(packages, join(copy, folder, 'node_modules'))
    }
  }
  return copy
}
