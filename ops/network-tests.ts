import { expect, test } from '@jest/globals'
import {
  injectFault,
  listOverlays,
  parseManifests,
  render,
  renderManifests,
  type Manifest,
} from './overlays.ts'
import {
  expandSelector,
  findByName,
  listRoutes,
  ofKind,
  workloadsWithLabels,
  type Selector,
} from './references.ts'

/** The pod selectors of a policy, except those for pods in other namespaces. */
const podSelectors = (value: unknown): Selector[] => {
  if (typeof value !== 'object' || value === null) return []
  const { podSelector, ...rest } = value as { podSelector?: Selector }
  const own = podSelector && !('namespaceSelector' in value) ? [podSelector] : []
  return [...own, ...Object.values(rest).flatMap(podSelectors)]
}

// cert-manager starts these pods while it answers a challenge.
const CHALLENGE_LABEL = 'acme.cert-manager.io/http01-solver'

/** Selectors that match no pod, as `NetworkPolicy gateway matches no pod: evnts`. */
const unmatchedSelectors = (manifests: readonly Manifest[]): string[] => {
  const objects = [
    ...ofKind(manifests, 'NetworkPolicy').map((object) => ({ object, selectors: podSelectors(object.spec) })),
    ...ofKind(manifests, 'PodDisruptionBudget').map((object) => ({
      object,
      selectors: [object.spec.selector as Selector],
    })),
    ...ofKind(manifests, 'Service').map((object) => ({
      object,
      selectors: [{ matchLabels: object.spec.selector }],
    })),
  ]
  return objects.flatMap(({ object: { kind, metadata }, selectors }) =>
    selectors
      .flatMap(expandSelector)
      .filter((labels) => !(CHALLENGE_LABEL in labels))
      .filter((labels) => workloadsWithLabels(manifests, labels).length === 0)
      .map((labels) => `${kind} ${metadata.name} matches no pod: ${Object.values(labels).join(', ')}`),
  )
}

/** Routes to a port that no Service has, and Services whose target port no container has. */
const missingPorts = (manifests: readonly Manifest[]): string[] => {
  const ofRoutes = listRoutes(manifests).filter(({ service, port }) => {
    const ports = (findByName(manifests, 'Service', service)?.spec.ports ?? []) as {
      name: string
      port: number
    }[]
    return !ports.some((candidate) => candidate.name === port || candidate.port === port)
  })
  const ofServices = ofKind(manifests, 'Service').flatMap(({ metadata, spec }) =>
    (spec.ports as { targetPort: string }[])
      .filter(({ targetPort }) =>
        workloadsWithLabels(manifests, spec.selector as Record<string, string>).some(
          (workload) =>
            !(workload.spec.template.spec.containers[0].ports as { name: string }[]).some(
              ({ name }) => name === targetPort,
            ),
        ),
      )
      .map(({ targetPort }) => `Service ${metadata.name}: no container port ${targetPort}`),
  )
  return [
    ...ofRoutes.map(({ source, service, port }) => `${source}: no Service port ${service}:${port}`),
    ...ofServices,
  ]
}

/** Ports that a Service opens on each node besides those that its overlay has chosen. */
const unchosenNodePorts = (manifests: readonly Manifest[]): string[] =>
  ofKind(manifests, 'Service').flatMap(({ metadata, spec }) =>
    (spec.ports as { port: number; nodePort?: number }[])
      .filter(({ nodePort }) => spec.type === 'NodePort' && nodePort === undefined)
      .map(({ port }) => `Service ${metadata.name} opens port ${port}`),
  )

test('In every overlay, each selector matches a pod, each route and Service leads to an existing port, and nodes open no other', async () => {
  for (const overlay of await listOverlays()) {
    const manifests = await renderManifests(overlay)
    expect(ofKind(manifests, 'NetworkPolicy').length).toBeGreaterThan(10)
    expect(unmatchedSelectors(manifests)).toEqual([])
    expect(missingPorts(manifests)).toEqual([])
    expect(unchosenNodePorts(manifests)).toEqual([])
  }
})

test('In production, the proxies that reach the gateway also reach the answer to a certificate challenge', async () => {
  const policies = ofKind(await renderManifests('production'), 'NetworkPolicy')
  const [ofGateway] = policies.find(({ metadata }) => metadata.name === 'gateway')?.spec.ingress as {
    from: unknown
  }[]
  const ofChallenge = policies.find(({ spec }) => CHALLENGE_LABEL in (spec.podSelector.matchLabels ?? {}))
  expect(ofChallenge?.spec.ingress).toEqual([{ from: ofGateway?.from, ports: [{ port: 8089 }] }])
})

test('The overlays production and local-ingress have routes', async () => {
  for (const overlay of ['production', 'local-ingress'])
    expect(listRoutes(await renderManifests(overlay)).length).toBeGreaterThan(4)
})

test('A misspelt name is reported in a policy, in a Service, and in a route', async () => {
  const text = await render('production')
  const faulty = (original: string, fault: string) => parseManifests(injectFault(text, original, fault))
  expect(unmatchedSelectors(faulty('- auth\n          - events\n', '- auth\n          - evnts\n'))).toEqual([
    'NetworkPolicy gateway matches no pod: evnts',
  ])
  expect(
    unmatchedSelectors(
      faulty('selector:\n    app.kubernetes.io/name: events\n', 'selector:\n    app: events\n'),
    ),
  ).toEqual(['Service events matches no pod: events'])
  expect(
    missingPorts(faulty('- name: shell-frontend\n      port: 8080', '- name: shell\n      port: 8080')),
  ).toEqual(['HTTPRoute shell: no Service port shell:8080'])
  expect(missingPorts(faulty('targetPort: metrics', 'targetPort: figures'))).toEqual([
    'Service auth: no container port figures',
  ])
  const ingress = injectFault(
    await render('local-ingress'),
    'name: gateway\n            port:\n              name: http',
    'name: gateway\n            port:\n              name: web',
  )
  expect(missingPorts(parseManifests(ingress))).toEqual(['Ingress confetti: no Service port gateway:web'])
})
