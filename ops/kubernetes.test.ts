import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { overlays, render } from './overlays.ts'
import { root, runTool } from './run-tool.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-overlays-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const inFile = async (name: string, text: string): Promise<string> => {
  const file = join(folder, `${name}.yaml`)
  await writeFile(file, text)
  return file
}

const validate = (file: string): Promise<string> =>
  runTool('kubeconform', [
    '-strict',
    '-summary',
    '-schema-location',
    join(root, 'k8s/schemas/{{.ResourceKind}}{{.KindSuffix}}.json'),
    file,
  ])

// k8s/README.md gives the reason for each test that is left out.
const lint = (file: string): Promise<string> =>
  runTool('kube-score', [
    'score',
    '--kubernetes-version=v1.33',
    '--exit-one-on-warning',
    '--output-format=ci',
    '--enable-optional-test=container-seccomp-profile',
    '--ignore-container-cpu-limit',
    '--ignore-test=container-image-pull-policy',
    '--ignore-test=container-security-context-user-group-id',
    '--ignore-test=deployment-has-host-podantiaffinity',
    file,
  ])

test('Every overlay satisfies the schemas of Kubernetes and of the kinds that others add', async () => {
  const names = await overlays()
  expect(names).toContain('production')
  for (const name of names) await validate(await inFile(name, await render(name)))
})

test('The linter finds nothing in any overlay', async () => {
  for (const name of await overlays()) await lint(await inFile(name, await render(name)))
})

test('A misspelt field is found, and a container that may write to its root', async () => {
  const text = await render('production')
  const misspelt = text.replace('readOnlyRootFilesystem:', 'readonlyRootFilesystem:')
  await expect(validate(await inFile('misspelt', misspelt))).rejects.toThrow('readonlyRootFilesystem')
  const writable = text.replace('readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false')
  await expect(lint(await inFile('writable', writable))).rejects.toThrow('CRITICAL')
})
