import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { serviceNames, services } from '@confetti/launcher'
import { listOverlays, renderManifests } from './overlays.ts'
import { findByName } from './references.ts'
import { root } from './run-tool.ts'

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

test.each(serviceNames)('The alert ServiceDown and the dashboard include %s', async (name) => {
  expect(await read('k8s/components/monitoring/prometheus-rule.yaml')).toContain(
    `label_replace(vector(0), "service", "${name}", "", "")`,
  )
  const dashboard = await read('k8s/components/monitoring/confetti.json')
  const [, count, list = ''] =
    /"(\d+) - \(count\(sum by \(service\) \(up\{[^}]*service=~\\"([^\\]*)\\"/.exec(dashboard) ?? []
  expect(list.split('|')).toContain(name)
  expect(Number(count)).toBe(serviceNames.length)
})

test('In every overlay, the pods of a service have the label that lets them reach the backends it uses', async () => {
  for (const overlay of await listOverlays()) {
    const manifests = await renderManifests(overlay)
    for (const name of serviceNames) {
      const { labels } = findByName(manifests, 'Deployment', name)?.spec.template.metadata as {
        labels: Record<string, string>
      }
      const usesDatabase = services[name].backends.includes('mongo')
      expect([name, labels['uses-database']]).toEqual([name, usesDatabase ? 'true' : undefined])
    }
  }
})

test('In the production overlay, the image of every service comes from the registry', async () => {
  const manifests = await renderManifests('production')
  for (const name of serviceNames)
    expect(findByName(manifests, 'Deployment', name)?.spec.template.spec.containers[0].image).toMatch(
      /^registry\.example\.org\//,
    )
})
