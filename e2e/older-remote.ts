import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, startBuiltRemote, type BuiltRemote } from './built-remote.ts'

const packages = ['react', 'react-dom', 'react-router-dom']

const config = `import { join } from 'node:path'
import { remoteConfig } from '@confetti/federation/build'

const config = remoteConfig({ folder: import.meta.dirname, name: 'organiser', port: 0 })
const own = (name) => [name, join(import.meta.dirname, 'node_modules', name)]
config.resolve.alias = Object.fromEntries(${JSON.stringify(packages)}.map(own))
export default config
`

/** The organiser's remote as a team would build it that still has React 19.1 and react-router 7.6. */
export const startOlderRemote = (): Promise<BuiltRemote> =>
  startBuiltRemote('organiser', async (folder) => {
    await rm(join(folder, 'rspack.config.ts'))
    await writeFile(join(folder, 'rspack.config.js'), config)
    await mkdir(join(folder, 'node_modules'))
    for (const name of packages)
      await symlink(join(root, 'node_modules', `older-${name}`), join(folder, 'node_modules', name))
  })
