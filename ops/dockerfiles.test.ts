import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root, runTool } from './run-tool.ts'

const dockerfiles = async (): Promise<string[]> =>
  (await readdir(join(root, 'images'), { recursive: true }))
    .filter((name) => name.endsWith('Dockerfile'))
    .map((name) => join('images', name))

test('hadolint finds nothing in the Dockerfiles but what images/hadolint.yaml gives a reason for', async () => {
  const files = await dockerfiles()
  expect(files.length).toBeGreaterThan(2)
  await runTool('hadolint', ['--config', 'images/hadolint.yaml', ...files])
})

test('hadolint finds what is wrong', async () => {
  const input = 'FROM node\nRUN cd /tmp && sudo apt-get install -y ffmpeg\n'
  await expect(runTool('hadolint', ['--config', 'images/hadolint.yaml', '-'], { input })).rejects.toThrow(
    'DL3006',
  )
})
