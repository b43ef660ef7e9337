import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { injectFault, listOverlays, listRemoteVersions, render, renderManifests } from './overlays.ts'
import { root, runTool } from './run-tool.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-overlays-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const writeManifests = async (name: string, text: string): Promise<string> => {
  const file = join(folder, `${name.replaceAll('/', '-')}.yaml`)
  await writeFile(file, text)
  return file
}

/** Everything that is applied: the overlays, and the versions of remotes that teams apply separately. */
const listApplied = async (): Promise<string[]> => {
  const names = await listOverlays()
  return [...names, ...(await Promise.all(names.map(listRemoteVersions))).flat()]
}

const validate = (file: string): Promise<string> =>
  runTool('kubeconform', [
    '-strict',
    '-summary',
    '-schema-location',
    join(root, 'k8s/schemas/{{.ResourceKind}}{{.KindSuffix}}.json'),
    file,
  ])

// k8s/README.md gives the reason for each test that is ignored.
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

test('All manifests satisfy the schemas of Kubernetes and of the custom resources', async () => {
  const names = await listApplied()
  expect(names).toContain('production')
  expect(names).toContainEqual(expect.stringMatching(/^production\/remotes\/admin-/))
  for (const name of names) await validate(await writeManifests(name, await render(name)))
})

// Not for a remote's folder alone: the policy that denies its pods' egress belongs to the overlay, which is linted.
test('kube-score reports no problem in any overlay', async () => {
  for (const name of await listOverlays()) await lint(await writeManifests(name, await render(name)))
})

test('Each remote version that is applied separately is part of its overlay, with the same manifests', async () => {
  for (const overlay of await listOverlays()) {
    const all = await renderManifests(overlay)
    for (const version of await listRemoteVersions(overlay))
      for (const manifest of await renderManifests(version)) expect(all).toContainEqual(manifest)
  }
})

test('The checks report a misspelt field, and a container with a writable root file system', async () => {
  const text = await render('production')
  const misspelt = injectFault(text, 'readOnlyRootFilesystem:', 'readonlyRootFilesystem:')
  await expect(validate(await writeManifests('misspelt', misspelt))).rejects.toThrow('readonlyRootFilesystem')
  const writable = injectFault(text, 'readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false')
  await expect(lint(await writeManifests('writable', writable))).rejects.toThrow('CRITICAL')
})
