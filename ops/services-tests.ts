import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { services } from '@confetti/launcher'
import { listOverlays, renderManifests } from './overlays.ts'
import { expandSelector, findByName, ofKind, type Selector } from './references.ts'
import { root } from './run-tool.ts'
import { deployments } from './services.ts'

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

test('The alert ServiceDown and the dashboard expect exactly the Deployments of services to be up', async () => {
  const rules = await read('k8s/components/monitoring/prometheus-rule.yaml')
  const names = [...rules.matchAll(/label_replace\(vector\(0\), "service", "(\w+)"/g)].map(([, name]) => name)
  expect(names.toSorted()).toEqual([...deployments.keys()].toSorted())
  expect(rules).toMatch(/alert: ServiceDown\n +expr: confetti:expected_services unless/)
  expect(await read('k8s/components/monitoring/confetti.json')).toContain(
    'count(confetti:expected_services unless',
  )
})

test('In every overlay, the pods of a service have the label that lets them reach the backends it uses', async () => {
  for (const overlay of await listOverlays()) {
    const manifests = await renderManifests(overlay)
    for (const [name, service] of deployments) {
      const { labels } = findByName(manifests, 'Deployment', name)?.spec.template.metadata as {
        labels: Record<string, string>
      }
      const usesDatabase = services[service].backends.includes('mongo')
      expect([name, labels['uses-database']]).toEqual([name, usesDatabase ? 'true' : undefined])
    }
  }
})

test('In every overlay, the policies for blob storage and Entra ID name exactly the pods that use it', async () => {
  const usesBlobs = [...deployments].filter(([, service]) => services[service].backends.includes('blob'))
  for (const overlay of await listOverlays()) {
    const policies = ofKind(await renderManifests(overlay), 'NetworkPolicy').filter(({ metadata }) =>
      ['to-azurite', 'to-blob-storage', 'to-entra-id'].includes(metadata.name),
    )
    expect(policies.length).toBeGreaterThan(0)
    for (const { spec } of policies) {
      const names = expandSelector(spec.podSelector as Selector).flatMap(Object.values<string>)
      expect(names.toSorted()).toEqual(usesBlobs.map(([name]) => name).toSorted())
    }
  }
})

test('In the production overlay, the image of every service comes from the registry', async () => {
  const manifests = await renderManifests('production')
  for (const name of deployments.keys())
    expect(findByName(manifests, 'Deployment', name)?.spec.template.spec.containers[0].image).toMatch(
      /^registry\.example\.org\//,
    )
})
