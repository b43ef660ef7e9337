import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serveRemote } from '@confetti/launcher'
import { repositoryRoot } from './released-frontend.ts'

const packages = ['react', 'react-dom', 'react-router-dom']

const config = `import { join } from 'node:path'
import { remoteConfig } from '@confetti/federation/build'

const config = remoteConfig({ folder: import.meta.dirname, name: 'organiser', port: 0 })
const aliasOf = (name) => [name, join(import.meta.dirname, 'node_modules', name)]
config.resolve.alias = Object.fromEntries(${JSON.stringify(packages)}.map(aliasOf))
export default config
`

/** Builds the organiser remote with React 19.1 and react-router 7.6 instead of the shell's versions, and serves it. */
export const startOlderRemote = async (): Promise<{ url: string; stop: () => Promise<void> }> => {
  const parent = join(repositoryRoot, '.confetti')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'older-organiser-'))
  for (const name of ['src', 'locales', 'package.json'])
    await cp(join(repositoryRoot, 'frontends/organiser', name), join(folder, name), { recursive: true })
  await writeFile(join(folder, 'rspack.config.js'), config)
  await mkdir(join(folder, 'node_modules'))
  for (const name of packages)
    await symlink(join(repositoryRoot, 'node_modules', `older-${name}`), join(folder, 'node_modules', name))
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
