import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { root, startBuiltRemote } from './built-remote.ts'
import { startOlderRemote } from './older-remote.ts'
import { problemsOfRemote } from './remote-check.ts'
import { startSite, type Site } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
}, 120_000)
afterAll(() => site.stop())

const rewrite = async (file: string, from: string | RegExp, to: string): Promise<void> => {
  const text = await readFile(file, 'utf8')
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`${file} has no ${String(from)}.`)
  await writeFile(file, changed)
}
const routes = (folder: string): string => join(folder, 'src/routes.tsx')
const page = (folder: string): string => join(folder, 'src/pages/contact-admin.tsx')

/** A copy of React in the remote's own folder that says which version it is. */
const withReact = async (folder: string, version: string): Promise<void> => {
  const own = join(folder, 'node_modules/react')
  await mkdir(join(folder, 'node_modules'))
  await cp(join(root, 'node_modules/react'), own, { recursive: true })
  await rewrite(join(own, 'package.json'), /"version": "[^"]+"/, `"version": "${version}"`)
}

test.each<[string, (folder: string) => Promise<void>, string[]]>([
  [
    'exposes its routes in another shape',
    (folder) =>
      rewrite(routes(folder), 'export const routes: readonly RemoteRoute[] =', 'export const screens ='),
    ['It does not load, or exposes no list of routes.'],
  ],
  [
    'has an element where its page should be',
    (folder) =>
      rewrite(
        routes(folder),
        /page: async \(\) => \(await import\((.*?)\)\)\.ContactAdmin/,
        'page: $1 as never',
      ),
    ['/contact-admin has no page() that brings its code.'],
  ],
  [
    'takes an address of another remote',
    (folder) => rewrite(routes(folder), "path: '/contact-admin'", "path: '/contacts'"),
    ['/contacts is not an address of organiser.'],
  ],
  [
    'was built with another major of React',
    (folder) => withReact(folder, '18.3.1'),
    ['It needs react ^18; the shell has 19.3.1.', 'It needs react/jsx-runtime ^18; the shell has 19.3.1.'],
  ],
  [
    'throws',
    (folder) =>
      rewrite(
        page(folder),
        /(export const ContactAdmin = \(\) =>) [\s\S]*/,
        "$1 {\n  throw new Error('Broken.')\n}\n",
      ),
    ['/contact-admin says: This page has broken.'],
  ],
  [
    'lacks a page that the shell links to',
    (folder) => rewrite(routes(folder), "path: '/contact-admin'", "path: '/contact-admin/now'"),
    ["The shell's link to /contact-admin leads nowhere."],
  ],
  [
    'lets its style sheets out',
    async (folder) => {
      await writeFile(join(folder, 'src/loud.css'), 'nav a { cursor: wait; }\n')
      await rewrite(page(folder), /^/, "import '../loud.css'\n")
    },
    ["Its style sheets change the shell's own screens: a now has cursor: wait."],
  ],
  [
    'brings a second React without sharing it',
    async (folder) => {
      const config = join(folder, 'rspack.config.ts')
      await rewrite(config, 'export default', 'const config =')
      const unshared = `for (const plugin of config.plugins ?? [])
  if (plugin && '_options' in plugin) delete (plugin as any)._options.shared.react
export default config
`
      await writeFile(config, (await readFile(config, 'utf8')) + unshared)
    },
    ['It does not share react.'],
  ],
])(
  'When a remote %s, then the check says so',
  async (_, change, problems) => {
    const remote = await startBuiltRemote('organiser', change)
    try {
      const found = await problemsOfRemote(site, {
        name: 'organiser',
        manifest: `${remote.url}/mf-manifest.json`,
      })
      expect([...found].sort()).toEqual(problems)
    } finally {
      await remote.stop()
    }
  },
  180_000,
)

test('When a remote was built with older minor versions of React and the router, then it keeps to the contract', async () => {
  const remote = await startOlderRemote()
  try {
    const manifest = `${remote.url}/mf-manifest.json`
    expect(await problemsOfRemote(site, { name: 'organiser', manifest })).toEqual([])
  } finally {
    await remote.stop()
  }
}, 180_000)
