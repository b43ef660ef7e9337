import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const leftOut = new Set(['node_modules', 'dist', 'coverage', '.git', '.confetti'])
// Where npm may put packages of a workspace's own.
const workspaceFolders = ['gateway', 'e2e', 'ops', 'services/*', 'libs/*']

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/** Each package as a link to the one that is installed; ours as they are, so that they lead to the copy's own. */
const linkPackages = async (from: string, to: string): Promise<void> => {
  await mkdir(to)
  for (const name of await namesIn(from))
    if (name === '@confetti')
      await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    else await symlink(join(from, name), join(to, name))
}

/** A copy of the checkout at `root` that can be run and changed, with the packages that are installed there. */
export const copyCheckout = async (root: string): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'confetti-seeded-'))
  await cp(root, copy, { recursive: true, filter: (path) => !leftOut.has(basename(path)) })
  await linkPackages(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const pattern of workspaceFolders) {
    const parent = pattern.replace('/*', '')
    const folders = pattern.endsWith('*')
      ? (await namesIn(join(root, parent))).map((name) => join(parent, name))
      : [parent]
    for (const folder of folders) {
      const packages = join(root, folder, 'node_modules')
      if ((await namesIn(packages)).length > 0)
        await linkPackages(packages, join(copy, folder, 'node_modules'))
    }
  }
  return copy
}
