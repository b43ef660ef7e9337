import { expect, test } from '@jest/globals'
import { manifestsIn, manifestsOf, overlays, render, withFault, type Manifest } from './overlays.ts'
import { named, ofKind, routes, withPodLabels } from './references.ts'

interface Ports {
  nodePort?: number
}

/** The remotes of /config.json with their addresses. */
const pointedAt = (manifests: readonly Manifest[]): [name: string, address: string][] => {
  const file = named(manifests, 'ConfigMap', 'shell-site')?.data['config.json'] as string
  const { remotes } = JSON.parse(file) as { remotes: Record<string, string> }
  return Object.entries(remotes)
}

/** The Service behind an address: by its path at the site's own, or by a port of its own. */
const serviceAt = (manifests: readonly Manifest[], address: string): string | undefined => {
  if (address.startsWith('/')) {
    const fitting = routes(manifests).filter(({ path }) =>
      `${address}/`.startsWith(path.replace(/\/*$/, '/')),
    )
    return fitting.toSorted((one, other) => other.path.length - one.path.length)[0]?.service
  }
  const port = Number(new URL(address).port)
  return ofKind(manifests, 'Service').find(({ spec }) =>
    (spec.ports as Ports[]).some(({ nodePort }) => nodePort === port),
  )?.metadata.name
}

/** The images that a Service leads to, with the names of their Deployments, as `admin-frontend:0.1.0 in admin-frontend`. */
const imagesBehind = (manifests: readonly Manifest[], service = ''): string[] => {
  const found = named(manifests, 'Service', service)
  if (!found) return []
  return withPodLabels(manifests, found.spec.selector as Record<string, string>).map(({ metadata, spec }) => {
    const [image = ''] = /[^/]+$/.exec(spec.template.spec.containers[0].image as string) ?? []
    return `${image} in ${metadata.name}`
  })
}

/** Remotes that are pointed at and are not what answers there. */
const astray = (manifests: readonly Manifest[]): string[] =>
  pointedAt(manifests).flatMap(([name, address]) => {
    const behind = imagesBehind(manifests, serviceAt(manifests, address))
    const [, version] = /^\/remotes\/[a-z]+\/([^/]+)\//.exec(address) ?? []
    const isRight =
      behind.length === 1 && behind[0]?.startsWith(`${name}-frontend:${version ? `${version} ` : ''}`)
    return isRight ? [] : [`${address} leads to ${behind.join(', ') || 'nothing'}`]
  })

/** Routes of a version to something else. */
const mixedUp = (manifests: readonly Manifest[]): string[] =>
  routes(manifests).flatMap(({ path, service }) => {
    const [, name, version] = /^\/remotes\/([^/]+)\/([^/]+)$/.exec(path) ?? []
    if (!name || !version) return []
    const behind = imagesBehind(manifests, service)
    const right = `${name}-frontend:${version} in ${name}-frontend-${version.replaceAll('.', '-')}`
    return behind.length === 1 && behind[0] === right
      ? []
      : [`${path} leads to ${behind.join(', ') || 'nothing'}`]
  })

test('In every overlay, /config.json points at remotes that are there, in that version', async () => {
  for (const overlay of await overlays()) {
    const manifests = await manifestsIn(overlay)
    expect(pointedAt(manifests)).toHaveLength(3)
    expect(astray(manifests)).toEqual([])
  }
})

test('In production, each version of a remote has its route, its Deployment and its image', async () => {
  const manifests = await manifestsIn('production')
  const versioned = routes(manifests).filter(({ path }) => /^\/remotes\/[a-z]+\/\d/.test(path))
  expect(versioned.length).toBeGreaterThanOrEqual(3)
  expect(versioned.length).toBe(
    ofKind(manifests, 'Deployment').filter(({ metadata }) => /-frontend-\d/.test(metadata.name)).length,
  )
  expect(mixedUp(manifests)).toEqual([])
})

test('A version that is not there is found, and one that is another', async () => {
  const text = await render('production')
  const faulty = (sound: string, fault: string) => manifestsOf(withFault(text, sound, fault))
  const [, version = ''] = /"\/remotes\/admin\/([^/]+)\//.exec(text) ?? []
  const toShell = expect.stringContaining('/mf-manifest.json leads to shell-frontend:')

  expect(astray(faulty(`/remotes/admin/${version}/`, '/remotes/admin/none/'))).toEqual([toShell])
  const wrongPath = faulty(`value: /remotes/admin/${version}\n`, 'value: /remotes/admin/none\n')
  expect(astray(wrongPath)).toEqual([toShell])
  expect(mixedUp(wrongPath)).toEqual([
    expect.stringContaining(`/remotes/admin/none leads to admin-frontend:${version} in`),
  ])
  const wrongImage = faulty(`/admin-frontend:${version}\n`, '/admin-frontend:none\n')
  expect(astray(wrongImage)).toEqual([
    expect.stringContaining(`/remotes/admin/${version}/mf-manifest.json leads to admin-frontend:none in`),
  ])
  expect(mixedUp(wrongImage)).toHaveLength(1)
  const wrongPort = withFault(await render('local'), 'localhost:30304/', 'localhost:30303/')
  expect(astray(manifestsOf(wrongPort))).toEqual([
    expect.stringContaining('localhost:30303/mf-manifest.json leads to organiser-frontend:'),
  ])
})
