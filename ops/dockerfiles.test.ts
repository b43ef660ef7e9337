import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { root, runTool } from './run-tool.ts'

const listDockerfiles = async (): Promise<string[]> =>
  (await readdir(join(root, 'images'), { recursive: true }))
    .filter((name) => name.endsWith('Dockerfile'))
    .map((name) => join('images', name))

test('hadolint reports no problem in the Dockerfiles beyond the rules that images/hadolint.yaml ignores', async () => {
  const files = await listDockerfiles()
  expect(files.length).toBeGreaterThan(2)
  await runTool('hadolint', ['--config', 'images/hadolint.yaml', ...files])
})

test('hadolint reports a faulty Dockerfile', async () => {
  const input = 'FROM node\nRUN cd /tmp && sudo apt-get install -y ffmpeg\n'
  await expect(runTool('hadolint', ['--config', 'images/hadolint.yaml', '-'], { input })).rejects.toThrow(
    'DL3006',
  )
})

test('The image of a service is not built on a Node that cannot run it', async () => {
  const dockerfile = await readFile(join(root, 'images/service.Dockerfile'), 'utf8')
  // In the last stage, whose Node runs the service.
  const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  const [, check = ''] = /^RUN \["node", "--eval", "(.*)"\]$/m.exec(lastStage) ?? []
  const buildOn = (node: string) => () => void runInNewContext(check, { process: { versions: { node } } })
  expect(buildOn('20.20.2')).toThrow('NODE_IMAGE has Node 20.20.2, but services need 24 or newer')
  expect(buildOn('24.21.0')).not.toThrow()
})
