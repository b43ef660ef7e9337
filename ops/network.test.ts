import { expect, test } from '@jest/globals'
import { manifestsIn, manifestsOf, overlays, render, withFault, type Manifest } from './overlays.ts'
import { choicesOf, named, ofKind, routes, withPodLabels, type Selector } from './references.ts'

/** The selectors of pods in a policy, but for those of pods in other namespaces. */
const podSelectors = (value: unknown): Selector[] => {
  if (typeof value !== 'object' || value === null) return []
  const { podSelector, ...rest } = value as { podSelector?: Selector }
  const own = podSelector && !('namespaceSelector' in value) ? [podSelector] : []
  return [...own, ...Object.values(rest).flatMap(podSelectors)]
}

/** What selects pods that nobody makes. */
const selectingNothing = (manifests: readonly Manifest[]): string[] => {
  const selectors = [
    ...ofKind(manifests, 'NetworkPolicy').map((each) => ({ each, all: podSelectors(each.spec) })),
    ...ofKind(manifests, 'PodDisruptionBudget').map((each) => ({
      each,
      all: [each.spec.selector as Selector],
    })),
    ...ofKind(manifests, 'Service').map((each) => ({ each, all: [{ matchLabels: each.spec.selector }] })),
  ]
  return selectors.flatMap(({ each: { kind, metadata }, all }) =>
    all
      .flatMap(choicesOf)
      .filter((labels) => withPodLabels(manifests, labels).length === 0)
      .map((labels) => `${kind} ${metadata.name} selects ${Object.values(labels).join(', ')}`),
  )
}

/** Ways that end at no port: of a route at no Service's, of a Service at no container's. */
const leadingNowhere = (manifests: readonly Manifest[]): string[] => {
  const astray = routes(manifests).filter(({ service, port }) => {
    const ports = (named(manifests, 'Service', service)?.spec.ports ?? []) as { name: string; port: number }[]
    return !ports.some((each) => each.name === port || each.port === port)
  })
  const closed = ofKind(manifests, 'Service').flatMap(({ metadata, spec }) =>
    (spec.ports as { targetPort: string }[])
      .filter(({ targetPort }) =>
        withPodLabels(manifests, spec.selector as Record<string, string>).some(
          (workload) =>
            !(workload.spec.template.spec.containers[0].ports as { name: string }[]).some(
              ({ name }) => name === targetPort,
            ),
        ),
      )
      .map(({ targetPort }) => `Service ${metadata.name} leads to port ${targetPort}`),
  )
  return [...astray.map(({ from, service, port }) => `${from} leads to ${service}:${port}`), ...closed]
}

test('In every overlay, what selects pods finds some, and every route and Service leads to a port', async () => {
  for (const overlay of await overlays()) {
    const manifests = await manifestsIn(overlay)
    expect(ofKind(manifests, 'NetworkPolicy').length).toBeGreaterThan(10)
    expect(selectingNothing(manifests)).toEqual([])
    expect(leadingNowhere(manifests)).toEqual([])
  }
})

test('Production and an Ingress have routes', async () => {
  for (const overlay of ['production', 'local-ingress'])
    expect(routes(await manifestsIn(overlay)).length).toBeGreaterThan(4)
})

test('A misspelt name is found in a policy, in a Service, and in a route', async () => {
  const text = await render('production')
  const faulty = (sound: string, fault: string) => manifestsOf(withFault(text, sound, fault))
  expect(selectingNothing(faulty('- auth\n          - events\n', '- auth\n          - evnts\n'))).toEqual([
    'NetworkPolicy gateway selects evnts',
  ])
  expect(
    selectingNothing(
      faulty('selector:\n    app.kubernetes.io/name: events\n', 'selector:\n    app: events\n'),
    ),
  ).toEqual(['Service events selects events'])
  expect(
    leadingNowhere(faulty('- name: shell-frontend\n      port: 8080', '- name: shell\n      port: 8080')),
  ).toEqual(['HTTPRoute shell leads to shell:8080'])
  expect(leadingNowhere(faulty('targetPort: metrics', 'targetPort: figures'))).toEqual([
    'Service auth leads to port figures',
  ])
  const ingress = withFault(
    await render('local-ingress'),
    'name: gateway\n            port:\n              name: http',
    'name: gateway\n            port:\n              name: web',
  )
  expect(leadingNowhere(manifestsOf(ingress))).toEqual(['Ingress confetti leads to gateway:web'])
})
