import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './places.ts'

const workflows = '.github/workflows'
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

/** The folders of ours that a part is built from: its own, and those of its dependencies. */
const foldersOf = async (folder: string): Promise<string[]> => {
  const { dependencies = {} } = JSON.parse(await read(`${folder}/package.json`)) as {
    dependencies?: Record<string, string>
  }
  const libs = Object.keys(dependencies)
    .filter((name) => name.startsWith('@confetti/'))
    .map((name) => name.replace('@confetti/', 'libs/'))
  return [...new Set([folder, ...(await Promise.all(libs.map(foldersOf))).flat()])]
}

/** The lists of paths in a workflow, in the order in which they stand there. */
const pathsIn = (workflow: string): string[][] =>
  [...workflow.matchAll(/^ +paths:\n((?: +- .*\n)+)/gm)].map(([, lines = '']) =>
    [...lines.matchAll(/- '(.*)'/g)].map(([, path = '']) => path),
  )

const children = async (folder: string): Promise<string[]> =>
  (await readdir(join(root, folder), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

const parts = [
  ...(await children('frontends')).map((name) => [`${name}-frontend`, `frontends/${name}`] as const),
  ...(await children('services')).map((name) => [name, `services/${name}`] as const),
  ['gateway', 'gateway'] as const,
]

test.each(parts)(
  'When something changes that %s is built from, then its pipeline runs, and for no other part',
  async (name, folder) => {
    const [onPullRequest, onPush, ...others] = pathsIn(await read(`${workflows}/${name}.yml`))
    expect(others).toEqual([])
    expect(onPush).toEqual(onPullRequest)
    const watched = onPush?.filter((path) => /^(frontends|services|gateway|libs)\/.*\*\*$/.test(path)) ?? []
    expect(watched.sort()).toEqual((await foldersOf(folder)).map((own) => `${own}/**`).sort())
    expect(onPush).toContain(`${workflows}/${name}.yml`)
  },
)
