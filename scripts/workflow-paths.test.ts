import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './paths.ts'

const workflows = '.github/workflows'
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

/** Returns the folder of a part and those of the libs that it depends on. */
const listSourceFolders = async (folder: string): Promise<string[]> => {
  const { dependencies = {} } = JSON.parse(await read(`${folder}/package.json`)) as {
    dependencies?: Record<string, string>
  }
  const libs = Object.keys(dependencies)
    .filter((name) => name.startsWith('@confetti/'))
    .map((name) => name.replace('@confetti/', 'libs/'))
  return [...new Set([folder, ...(await Promise.all(libs.map(listSourceFolders))).flat()])]
}

/** Returns the path filters of a workflow in their order in the file. */
const parsePathFilters = (workflow: string): string[][] =>
  [...workflow.matchAll(/^ +paths:\n((?: +- .*\n)+)/gm)].map(([, lines = '']) =>
    [...lines.matchAll(/- '(.*)'/g)].map(([, path = '']) => path),
  )

const listFolders = async (folder: string): Promise<string[]> =>
  (await readdir(join(root, folder), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

test.each(await listFolders('frontends'))(
  'When a source folder of %s changes, then its pipeline runs, and it runs for no other folder',
  async (name) => {
    const workflow = `${workflows}/${name}-frontend.yml`
    const [onPullRequest, onPush, ...others] = parsePathFilters(await read(workflow))
    expect(others).toEqual([])
    expect(onPush).toEqual(onPullRequest)
    const watchedFolders =
      onPush?.filter((path) => /^(frontends|services|gateway|libs)\/.*\*\*$/.test(path)) ?? []
    expect(watchedFolders.sort()).toEqual(
      (await listSourceFolders(`frontends/${name}`)).map((source) => `${source}/**`).sort(),
    )
    expect(onPush).toContain(workflow)
  },
)
