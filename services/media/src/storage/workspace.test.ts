import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isUnavailable } from '@confetti/service-kit'
import { expect, test } from '@jest/globals'
import { openWorkspace } from './workspace.ts'

test('When the disk is too full for a file, then the attempt does not count, as in other outages', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'workspace-'))
  const workspace = await openWorkspace(parent)
  const failure = await workspace
    .withTempFolder(2 ** 60, () => Promise.resolve())
    .catch((error: unknown) => error)
  expect(isUnavailable(failure)).toBe(true)
  await workspace.close()
  await rm(parent, { recursive: true })
})
