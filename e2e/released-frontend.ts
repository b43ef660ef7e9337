import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repositoryRoot = fileURLToPath(new URL('..', import.meta.url))

/** The built files of a frontend in a folder of their own, so that a test can replace them by those of a release. */
export interface ReleasedFrontend {
  folder: string
  /**
   * Replaces all files by those of a new release, in which `text` is replaced by `replacement`. As after a change of
   * everything, all hashes in names are new, and the old files are gone.
   */
  release: (text: string, replacement: string) => Promise<void>
  remove: () => Promise<void>
}

const isText = (name: string): boolean => /\.(js|css|html|json)$/.test(name)
const HASH = /\.([0-9a-f]{10})\.\w+$/

const renewHash = (hash: string): string => createHash('sha256').update(hash).digest('hex').slice(0, 10)

export const copyFrontend = async (
  name: 'shell' | 'public' | 'organiser' | 'admin',
): Promise<ReleasedFrontend> => {
  const folder = await mkdtemp(join(tmpdir(), `confetti-${name}-`))
  await cp(join(repositoryRoot, 'frontends', name, 'dist'), folder, { recursive: true })
  return {
    folder,
    release: async (text, replacement) => {
      const names = await readdir(folder)
      const hashes = names.flatMap((each) => HASH.exec(each)?.[1] ?? [])
      const renew = (old: string): string =>
        hashes.reduce((renewed, hash) => renewed.replaceAll(hash, renewHash(hash)), old)
      let isFound = false
      for (const each of names) {
        const old = await readFile(join(folder, each))
        await rm(join(folder, each))
        isFound ||= isText(each) && old.includes(text)
        const content = isText(each) ? renew(old.toString()).replaceAll(text, replacement) : old
        await writeFile(join(folder, renew(each)), content)
      }
      if (!isFound) throw new Error(`No file of ${name} contains: ${text}`)
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
