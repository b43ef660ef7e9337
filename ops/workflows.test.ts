import { expect, test } from '@jest/globals'
import { runTool } from './run-tool.ts'

test('actionlint finds nothing in the workflows', async () => {
  await runTool('actionlint', ['-shellcheck=', '-pyflakes='])
})

test('actionlint finds what is wrong', async () => {
  const input =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${{ nothing.here }}\n'
  await expect(runTool('actionlint', ['-'], { input })).rejects.toThrow('undefined variable')
})
