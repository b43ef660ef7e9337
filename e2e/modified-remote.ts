import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serveRemote } from '@confetti/launcher'

export const repositoryRoot = fileURLToPath(new URL('..', import.meta.url))

/** A remote that was built from a modified copy of its source, served at its own URL. */
export interface ModifiedRemote {
  url: string
  stop: () => Promise<void>
}

/** Copies the source of a remote, calls `modify` with the folder of the copy, builds it and serves the result. */
export const startModifiedRemote = async (
  name: 'public' | 'organiser' | 'admin',
  modify: (folder: string) => Promise<void>,
): Promise<ModifiedRemote> => {
  const parent = join(repositoryRoot, '.confetti')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, `built-${name}-`))
  for (const file of ['src', 'locales', 'package.json', 'rspack.config.ts'])
    await cp(join(repositoryRoot, 'frontends', name, file), join(folder, file), { recursive: true })
  await modify(folder)
  const rspack = join(repositoryRoot, 'node_modules/@rspack/cli/bin/rspack.js')
  await promisify(execFile)(process.execPath, [rspack, 'build'], { cwd: folder })
  const server = await serveRemote(join(folder, 'dist'))
  return {
    url: server.url,
    stop: async () => {
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
}
