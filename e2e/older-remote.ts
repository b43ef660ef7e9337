import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serveRemote } from '@confetti/launcher'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['react', 'react-dom', 'react-router-dom']

const config = `import { join } from 'node:path'
import { remoteConfig } from '@confetti/federation/build'

const config = remoteConfig({ folder: import.meta.dirname, name: 'organiser', port: 0 })
const own = (name) => [name, join(import.meta.dirname, 'node_modules', name)]
config.resolve.alias = Object.fromEntries(${JSON.stringify(packages)}.map(own))
export default config
`

/** The organiser's remote as a team would build it that still has React 19.1 and react-router 7.6. */
export const startOlderRemote = async (): Promise<{ url: string; stop: () => Promise<void> }> => {
  const parent = join(root, '.confetti')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'older-remote-'))
  for (const file of ['src', 'package.json'])
    await cp(join(root, 'frontends/organiser', file), join(folder, file), { recursive: true })
  await writeFile(join(folder, 'rspack.config.js'), config)
  await mkdir(join(folder, 'node_modules'))
  for (const name of packages)
    await symlink(join(root, 'node_modules', `older-${name}`), join(folder, 'node_modules', name))
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
