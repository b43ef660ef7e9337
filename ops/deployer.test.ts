import { expect, test } from '@jest/globals'
import { listRemoteVersions, renderManifests, type Manifest } from './overlays.ts'
import { findByName } from './references.ts'

interface Rule {
  apiGroups: string[]
  resources: string[]
  resourceNames?: string[]
  verbs: string[]
}

const readRules = async (): Promise<Rule[]> =>
  findByName(await renderManifests('production'), 'Role', 'remote-deployer')?.rules as Rule[]

/** `Ingress` of `networking.k8s.io/v1` is `ingresses` in the group `networking.k8s.io`. */
const resourceOf = ({ apiVersion, kind }: Manifest): { group: string; resource: string } => ({
  group: apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '',
  resource: `${kind.toLowerCase().replace(/y$/, 'ie').replace(/ss$/, 'sse')}s`,
})

test('The account that deploys remotes may apply every object of a version', async () => {
  const rules = await readRules()
  const versions = [
    ...(await listRemoteVersions('production')),
    ...(await listRemoteVersions('local-ingress')),
  ]
  const manifests = (await Promise.all(versions.map(renderManifests))).flat()
  expect(new Set(manifests.map(({ kind }) => kind)).size).toBeGreaterThan(5)
  for (const manifest of manifests) {
    const { group, resource } = resourceOf(manifest)
    const rule = rules.find(
      ({ apiGroups, resources }) => apiGroups.includes(group) && resources.includes(resource),
    )
    expect([resource, rule?.verbs]).toEqual([resource, expect.arrayContaining(['get', 'create', 'patch'])])
  }
})

test('The account that deploys remotes cannot read Secrets, delete anything, or change other configuration', async () => {
  const rules = await readRules()
  for (const { resources, resourceNames, verbs } of rules) {
    for (const name of [...resources, ...verbs])
      expect(['*', 'secrets', 'pods', 'delete']).not.toContain(name)
    if (resources.includes('configmaps')) expect(resourceNames).toEqual(['shell-site'])
  }
})
