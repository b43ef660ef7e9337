import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryRoot, startModifiedRemote, type ModifiedRemote } from './modified-remote.ts'

const packages = ['react', 'react-dom', 'react-router-dom']

const config = `import { join } from 'node:path'
import { remoteConfig } from '@confetti/federation/build'

const config = remoteConfig({ folder: import.meta.dirname, name: 'organiser', port: 0 })
const aliasOf = (name) => [name, join(import.meta.dirname, 'node_modules', name)]
config.resolve.alias = Object.fromEntries(${JSON.stringify(packages)}.map(aliasOf))
export default config
`

/** Builds and serves the organiser remote with React 19.1 and react-router 7.6 instead of the shell's versions. */
export const startOlderRemote = (): Promise<ModifiedRemote> =>
  startModifiedRemote('organiser', async (folder) => {
    await rm(join(folder, 'rspack.config.ts'))
    await writeFile(join(folder, 'rspack.config.js'), config)
    await mkdir(join(folder, 'node_modules'))
    for (const name of packages)
      await symlink(join(repositoryRoot, 'node_modules', `older-${name}`), join(folder, 'node_modules', name))
  })
