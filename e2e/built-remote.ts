import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serveRemote } from '@confetti/launcher'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** A remote that was built apart, at an address of its own. */
export interface BuiltRemote {
  url: string
  stop: () => Promise<void>
}

/** Builds a copy of a remote of ours after `change` had its way with the copy's folder, and serves it. */
export const startBuiltRemote = async (
  name: 'public' | 'organiser' | 'admin',
  change: (folder: string) => Promise<void>,
): Promise<BuiltRemote> => {
  const parent = join(root, '.confetti')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, `built-${name}-`))
  for (const file of ['src', 'package.json', 'rspack.config.ts'])
    await cp(join(root, 'frontends', name, file), join(folder, file), { recursive: true })
  await change(folder)
  const rspack = join(root, 'node_modules/@rspack/cli/bin/rspack.js')
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
