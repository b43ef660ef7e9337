import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import {
  injectFault,
  listOverlays,
  parseManifests,
  render,
  renderManifests,
  type Manifest,
} from './overlays.ts'
import { findByName, listRoutes, ofKind, serviceForPath, workloadsWithLabels } from './references.ts'
import { root, runTool } from './run-tool.ts'

interface ServicePort {
  nodePort?: number
}

/** The remotes of /config.json with the URLs of their manifests. */
const configuredRemotes = (manifests: readonly Manifest[]): [name: string, url: string][] => {
  const file = findByName(manifests, 'ConfigMap', 'shell-site')?.data['config.json'] as string
  const { remotes } = JSON.parse(file) as { remotes: Record<string, string> }
  return Object.entries(remotes)
}

/** The Service that answers a URL: by its route for a path, by node port for a whole URL. */
const serviceFor = (manifests: readonly Manifest[], url: string): string | undefined => {
  if (url.startsWith('/')) return serviceForPath(manifests, url)
  const port = Number(new URL(url).port)
  return ofKind(manifests, 'Service').find(({ spec }) =>
    (spec.ports as ServicePort[]).some(({ nodePort }) => nodePort === port),
  )?.metadata.name
}

/** The images of the Deployments that a Service selects, as `admin-frontend:0.1.0 in admin-frontend`. */
const imagesServedBy = (manifests: readonly Manifest[], service = ''): string[] => {
  const found = findByName(manifests, 'Service', service)
  if (!found) return []
  return workloadsWithLabels(manifests, found.spec.selector as Record<string, string>).map(
    ({ metadata, spec }) => {
      const [image = ''] = /[^/]+$/.exec(spec.template.spec.containers[0].image as string) ?? []
      return `${image} in ${metadata.name}`
    },
  )
}

/** URLs in /config.json at which the remote does not answer, or answers in another version. */
const wrongUrls = (manifests: readonly Manifest[]): string[] =>
  configuredRemotes(manifests).flatMap(([name, url]) => {
    const images = imagesServedBy(manifests, serviceFor(manifests, url))
    const [, version] = /^\/remotes\/[a-z]+\/([^/]+)\//.exec(url) ?? []
    const isCorrect =
      images.length === 1 && images[0]?.startsWith(`${name}-frontend:${version ? `${version} ` : ''}`)
    return isCorrect ? [] : [`${url} leads to ${images.join(', ') || 'nothing'}`]
  })

/** Routes of a version that lead to another version or another remote. */
const wrongRoutes = (manifests: readonly Manifest[]): string[] =>
  listRoutes(manifests).flatMap(({ path, service }) => {
    const [, name, version] = /^\/remotes\/([^/]+)\/([^/]+)$/.exec(path) ?? []
    if (!name || !version) return []
    const images = imagesServedBy(manifests, service)
    const expected = `${name}-frontend:${version} in ${name}-frontend-${version.replaceAll('.', '-')}`
    return images.length === 1 && images[0] === expected
      ? []
      : [`${path} leads to ${images.join(', ') || 'nothing'}`]
  })

test('In every overlay, /config.json names remotes that exist, in the right version', async () => {
  for (const overlay of await listOverlays()) {
    const manifests = await renderManifests(overlay)
    expect(configuredRemotes(manifests)).toHaveLength(3)
    expect(wrongUrls(manifests)).toEqual([])
  }
})

/** Services, policies and budgets of frontends that select pods of more than one Deployment. */
const ambiguousSelectors = (manifests: readonly Manifest[]): string[] =>
  ofKind(manifests, 'Service', 'NetworkPolicy', 'PodDisruptionBudget')
    .filter(({ metadata }) => metadata.name.includes('-frontend'))
    .filter(({ kind, spec }) => {
      const selectors = { Service: spec.selector, NetworkPolicy: spec.podSelector?.matchLabels }
      const labels = selectors[kind as keyof typeof selectors] ?? spec.selector.matchLabels
      return workloadsWithLabels(manifests, labels as Record<string, string>).length !== 1
    })
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)

test('In every overlay, each Service, policy and budget of a frontend selects one version', async () => {
  for (const overlay of await listOverlays())
    expect(ambiguousSelectors(await renderManifests(overlay))).toEqual([])
  const text = await render('local-ingress')
  const policy = 'admin-frontend\n      app.kubernetes.io/version: unversioned\n  policyTypes'
  const withoutVersion = injectFault(text, policy, 'admin-frontend\n  policyTypes')
  expect(ambiguousSelectors(parseManifests(withoutVersion))).toEqual(['NetworkPolicy admin-frontend'])
})

test.each(['production', 'local-ingress'])(
  'In %s, each version of a remote has its route, its Deployment and its image',
  async (overlay) => {
    const manifests = await renderManifests(overlay)
    const versioned = listRoutes(manifests).filter(({ path }) => /^\/remotes\/[a-z]+\/\d/.test(path))
    expect(versioned.length).toBeGreaterThanOrEqual(3)
    expect(versioned.length).toBe(
      ofKind(manifests, 'Deployment').filter(({ metadata }) => /-frontend-\d/.test(metadata.name)).length,
    )
    expect(wrongRoutes(manifests)).toEqual([])
  },
)

test('A missing version and a wrong version are reported', async () => {
  const text = await render('production')
  const faulty = (original: string, fault: string) => parseManifests(injectFault(text, original, fault))
  const [, version = ''] = /"\/remotes\/admin\/([^/]+)\//.exec(text) ?? []
  const toShell = expect.stringContaining('/mf-manifest.json leads to shell-frontend:')

  expect(wrongUrls(faulty(`/remotes/admin/${version}/`, '/remotes/admin/none/'))).toEqual([toShell])
  const wrongPath = faulty(`value: /remotes/admin/${version}\n`, 'value: /remotes/admin/none\n')
  expect(wrongUrls(wrongPath)).toEqual([toShell])
  expect(wrongRoutes(wrongPath)).toEqual([
    expect.stringContaining(`/remotes/admin/none leads to admin-frontend:${version} in`),
  ])
  const wrongImage = faulty(`/admin-frontend:${version}\n`, '/admin-frontend:none\n')
  expect(wrongUrls(wrongImage)).toEqual([
    expect.stringContaining(`/remotes/admin/${version}/mf-manifest.json leads to admin-frontend:none in`),
  ])
  expect(wrongRoutes(wrongImage)).toHaveLength(1)
  const wrongPort = injectFault(await render('local'), 'localhost:30304/', 'localhost:30303/')
  expect(wrongUrls(parseManifests(wrongPort))).toEqual([
    expect.stringContaining('localhost:30303/mf-manifest.json leads to organiser-frontend:'),
  ])
})

test('When the documented steps release a remote, then every overlay has its new version', async () => {
  const guide = await readFile(join(root, 'docs/shipping-a-frontend.md'), 'utf8')
  const [, steps = ''] = /^## Release$(.*?)^3\. Merge/ms.exec(guide) ?? []
  const commands = [...steps.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block).join('\n')
  expect(commands).toContain('admin-0-2-0')
  const folder = await mkdtemp(join(tmpdir(), 'confetti-release-'))
  try {
    for (const path of ['k8s', 'docker-compose.yml'])
      await cp(join(root, path), join(folder, path), { recursive: true })
    await promisify(execFile)('bash', ['-euc', commands], { cwd: folder })
    expect(await readFile(join(folder, 'docker-compose.yml'), 'utf8')).toContain(
      'image: confetti/admin-frontend:0.2.0',
    )
    for (const overlay of await listOverlays()) {
      const manifests = parseManifests(
        await runTool('kustomize', ['build', join(folder, 'k8s/overlays', overlay)]),
      )
      const images = ofKind(manifests, 'Deployment').flatMap(({ spec }) => {
        const [, tag] = /admin-frontend:(.*)$/.exec(spec.template.spec.containers[0].image as string) ?? []
        return tag ?? []
      })
      // Only production keeps the previous version, for pages that are open and for a rollback.
      expect(new Set(images)).toEqual(
        new Set(overlay.startsWith('production') ? ['0.1.0', '0.2.0'] : ['0.2.0']),
      )
      expect(wrongUrls(manifests)).toEqual([])
      expect(wrongRoutes(manifests)).toEqual([])
      expect(ambiguousSelectors(manifests)).toEqual([])
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
