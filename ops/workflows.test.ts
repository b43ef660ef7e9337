import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { nightlyParts } from '../scripts/nightly-parts.ts'
import { root, runTool } from './run-tool.ts'

interface Workflow {
  jobs: Record<
    string,
    {
      needs?: string | string[]
      uses?: string
      strategy?: { matrix?: { part?: string[] } }
      steps?: { run?: string }[]
    }
  >
}
const readWorkflow = (name: string): Workflow =>
  parse(readFileSync(join(root, `.github/workflows/${name}.yml`), 'utf8')) as Workflow

test('actionlint reports no problem in the workflows', async () => {
  // Without shellcheck and pyflakes: actionlint would run whatever version the machine has.
  await runTool('actionlint', ['-shellcheck=', '-pyflakes='])
})

test('actionlint reports a faulty workflow', async () => {
  const input =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${{ nothing.here }}\n'
  await expect(runTool('actionlint', ['-'], { input })).rejects.toThrow('undefined variable')
})

const validateActions = (files: string[], input = ''): Promise<string> =>
  runTool('check-jsonschema', ['--builtin-schema', 'vendor.github-actions', ...files], { input })

// actionlint checks only the inputs and outputs of an action.
test('The actions satisfy the schema of GitHub actions', async () => {
  const files = globSync('.github/actions/*/action.yml', { cwd: root })
  expect(files).not.toHaveLength(0)
  await validateActions(files)
})

test('A step without a shell, which GitHub rejects, is reported', async () => {
  const action = { name: 'a', description: 'b', runs: { using: 'composite', steps: [{ run: 'echo c' }] } }
  await expect(validateActions(['-'], JSON.stringify(action))).rejects.toThrow('$.runs: ')
})

test.each(['service', 'frontend'])(
  'A %s is published only after the end-to-end tests have passed',
  (name) => {
    const { jobs } = readWorkflow(name)
    expect(jobs.publish?.needs).toContain('e2e')
    expect(jobs.e2e?.uses).toBe('./.github/workflows/e2e.yml')
    const commands = readWorkflow('e2e').jobs.e2e?.steps?.map(({ run }) => run)
    expect(commands).toContain('npm test -- e2e/')
  },
)

test('Every change is checked by ops:check', () => {
  const jobs = Object.values(readWorkflow('checks').jobs)
  expect(jobs.flatMap(({ steps = [] }) => steps.map(({ run }) => run))).toContain('npm run ops:check')
})

test('Each part of the nightly layer runs each night', () => {
  expect(readWorkflow('nightly').jobs.part?.strategy?.matrix?.part).toEqual(Object.keys(nightlyParts))
})

test('Every action of others is pinned to a commit', () => {
  const files = globSync('.github/{workflows/*,actions/*/action}.yml', { cwd: root })
  const uses = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\buses: (?!\.\/)(.*)/g)].map(([, action]) => action),
  )
  expect(uses.length).toBeGreaterThan(10)
  for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})
