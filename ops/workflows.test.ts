import { globSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { root, runTool } from './run-tool.ts'

test('actionlint finds nothing in the workflows', async () => {
  // It would call these two where a machine happens to have them, at whatever version: no verdict to rely on.
  await runTool('actionlint', ['-shellcheck=', '-pyflakes='])
})

test('actionlint finds what is wrong', async () => {
  const input =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${{ nothing.here }}\n'
  await expect(runTool('actionlint', ['-'], { input })).rejects.toThrow('undefined variable')
})

const validateActions = (files: string[], input = ''): Promise<string> =>
  runTool('check-jsonschema', ['--builtin-schema', 'vendor.github-actions', ...files], { input })

// actionlint reads of an action only what it takes and gives.
test('The actions satisfy the schema of GitHub actions', async () => {
  const files = globSync('.github/actions/*/action.yml', { cwd: root })
  expect(files).not.toHaveLength(0)
  await validateActions(files)
})

test('A step without a shell is found, which GitHub would refuse', async () => {
  const action = { name: 'a', description: 'b', runs: { using: 'composite', steps: [{ run: 'echo c' }] } }
  await expect(validateActions(['-'], JSON.stringify(action))).rejects.toThrow('$.runs: ')
})
