import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { repositoryRoot, startModifiedRemote } from './modified-remote.ts'
import { startOlderRemote } from './older-remote.ts'
import { findRemoteProblems } from './remote-check.ts'
import { joinSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await joinSite()
})
afterAll(() => site.stop())

const replaceInFile = async (file: string, from: string | RegExp, to: string): Promise<void> => {
  const before = await readFile(file, 'utf8')
  const after = before.replace(from, to)
  if (after === before) throw new Error(`${file} does not contain ${String(from)}.`)
  await writeFile(file, after)
}
const routesFile = (folder: string): string => join(folder, 'src/routes.tsx')
const pageFile = (folder: string): string => join(folder, 'src/pages/contact-admin.tsx')

/** Installs a copy of React with another version number in the folder of the remote. */
const installReactVersion = async (folder: string, version: string): Promise<void> => {
  const reactFolder = join(folder, 'node_modules/react')
  await mkdir(join(folder, 'node_modules'))
  await cp(join(repositoryRoot, 'node_modules/react'), reactFolder, { recursive: true })
  await replaceInFile(join(reactFolder, 'package.json'), /"version": "[^"]+"/, `"version": "${version}"`)
}

test.each<[string, (folder: string) => Promise<void>, string[]]>([
  [
    'exposes no routes',
    (folder) => replaceInFile(routesFile(folder), 'export const routes =', 'export const screens ='),
    ['It cannot be loaded, or does not expose a list of routes.'],
  ],
  [
    'exposes an element instead of a page function',
    (folder) =>
      replaceInFile(
        routesFile(folder),
        /\)\s*$/,
        ").map((route) => (route.path === '/contact-admin' ? { ...route, page: 'contact-admin' as never } : route))\n",
      ),
    ['/contact-admin has no page() function.'],
  ],
  [
    'uses a path of another remote',
    (folder) => replaceInFile(routesFile(folder), "path: '/contact-admin'", "path: '/contacts'"),
    ['/contacts is not a path of organiser.'],
  ],
  [
    'was built with another major version of React',
    (folder) => installReactVersion(folder, '18.3.1'),
    ['It needs react ^18; the shell has 19.3.1.', 'It needs react/jsx-runtime ^18; the shell has 19.3.1.'],
  ],
  [
    'throws',
    (folder) =>
      replaceInFile(
        pageFile(folder),
        /(export const ContactAdmin = \(\) =>) [\s\S]*/,
        "$1 {\n  throw new Error('Broken.')\n}\n",
      ),
    ['/contact-admin shows: Something went wrong on this page'],
  ],
  [
    'lacks a page that the shell links to',
    (folder) => replaceInFile(routesFile(folder), "path: '/contact-admin'", "path: '/contact-admin/now'"),
    ["The shell's link to /contact-admin is broken."],
  ],
  [
    'has global style sheets',
    async (folder) => {
      await writeFile(join(folder, 'src/global.css'), 'nav a { cursor: wait; }\n')
      await replaceInFile(pageFile(folder), /^/, "import '../global.css'\n")
    },
    ["Its style sheets change the shell's own screens: a now has cursor: wait."],
  ],
  [
    'bundles React without sharing it',
    async (folder) => {
      const config = join(folder, 'rspack.config.ts')
      await replaceInFile(config, 'export default', 'const config =')
      const unshareReact = `for (const plugin of config.plugins ?? [])
  if (plugin && '_options' in plugin) delete (plugin as any)._options.shared.react
export default config
`
      await writeFile(config, (await readFile(config, 'utf8')) + unshareReact)
    },
    ['It does not share react.'],
  ],
])(
  'When a remote %s, then the check reports it',
  async (_, modify, expectedProblems) => {
    const remote = await startModifiedRemote('organiser', modify)
    try {
      const problems = await findRemoteProblems(site, {
        name: 'organiser',
        manifestUrl: `${remote.url}/mf-manifest.json`,
      })
      expect([...problems].sort()).toEqual(expectedProblems)
    } finally {
      await remote.stop()
    }
  },
  600_000,
)

test('When a remote was built with older minor versions of React and the router, then the check finds no problems', async () => {
  const remote = await startOlderRemote()
  try {
    const manifestUrl = `${remote.url}/mf-manifest.json`
    expect(await findRemoteProblems(site, { name: 'organiser', manifestUrl })).toEqual([])
  } finally {
    await remote.stop()
  }
}, 600_000)
