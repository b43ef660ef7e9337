import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './run-tool.ts'

test('The log commands of the runbook skip lines that are not JSON, such as warnings of Node', async () => {
  const runbook = await readFile(join(root, 'docs/operations.md'), 'utf8')
  const filters = [...runbook.matchAll(/^ *(?:kubectl .* logs .*|all) \| (jq .*)$/gm)].map(([, jq]) => jq)
  expect(filters.length).toBeGreaterThanOrEqual(4)
  for (const filter of filters) expect(filter).toMatch(/^jq -R\w* .*\bfromjson\?/)
})
