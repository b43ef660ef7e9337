import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { manifestsIn, overlays, partsOf, render, withFault } from './overlays.ts'
import { root, runTool } from './run-tool.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-overlays-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const inFile = async (name: string, text: string): Promise<string> => {
  const file = join(folder, `${name.replaceAll('/', '-')}.yaml`)
  await writeFile(file, text)
  return file
}

/** The overlays, and the parts of them that teams apply alone. */
const applied = async (): Promise<string[]> => {
  const names = await overlays()
  return [...names, ...(await Promise.all(names.map(partsOf))).flat()]
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

test('Whatever is applied satisfies the schemas of Kubernetes and of the kinds that others add', async () => {
  const names = await applied()
  expect(names).toContain('production')
  expect(names).toContainEqual(expect.stringMatching(/^production\/remotes\/admin-/))
  for (const name of names) await validate(await inFile(name, await render(name)))
})

// Not in a part alone: it leaves out by design what forbids its pods to call anybody. In its overlay it is looked at.
test('The linter finds nothing in any overlay', async () => {
  for (const name of await overlays()) await lint(await inFile(name, await render(name)))
})

test('What a team applies alone is in the overlay, and the same there', async () => {
  for (const overlay of await overlays()) {
    const whole = await manifestsIn(overlay)
    for (const part of await partsOf(overlay))
      for (const manifest of await manifestsIn(part)) expect(whole).toContainEqual(manifest)
  }
})

test('A misspelt field is found, and a container that may write to its root', async () => {
  const text = await render('production')
  const misspelt = withFault(text, 'readOnlyRootFilesystem:', 'readonlyRootFilesystem:')
  await expect(validate(await inFile('misspelt', misspelt))).rejects.toThrow('readonlyRootFilesystem')
  const writable = withFault(text, 'readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false')
  await expect(lint(await inFile('writable', writable))).rejects.toThrow('CRITICAL')
})
