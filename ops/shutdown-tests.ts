import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, test } from '@jest/globals'
import { readComposeService, type Environment } from './compose.ts'
import { listOverlays, parseManifests, renderManifests, type Manifest } from './overlays.ts'
import { findByName } from './references.ts'
import { root, runTool } from './run-tool.ts'
import { deployments } from './services.ts'

/** Publishing the last messages and closing each connection, after the work in progress. */
const CLOSING_SECONDS = 40
/** After which the cluster autoscaler kills the pods of a node that it drains, by default. */
const DRAIN_LIMIT_SECONDS = 600

interface Pod {
  terminationGracePeriodSeconds: number
  containers: {
    envFrom: { configMapRef: { name: string } }[]
    lifecycle: { preStop: { sleep: { seconds: number } } }
  }[]
}

const readPod = (manifests: readonly Manifest[], deployment: string): Pod =>
  findByName(manifests, 'Deployment', deployment)?.spec.template.spec as Pod

/** How long the shutdown of a service takes at most. */
const shutdownSeconds = ({ SHUTDOWN_DELAY_MS, SHUTDOWN_GRACE_MS }: Environment): number =>
  (Number(SHUTDOWN_DELAY_MS) + Number(SHUTDOWN_GRACE_MS)) / 1_000 + CLOSING_SECONDS

/** Deployments whose pods are killed before their shutdown ends, as `media: 100 s instead of 135 s`. */
const shutdownFaults = (manifests: readonly Manifest[]): string[] =>
  [...deployments.keys()].flatMap((name) => {
    const pod = readPod(manifests, name)
    const [container] = pod.containers
    const config = Object.assign(
      {},
      ...(container?.envFrom ?? []).map(
        ({ configMapRef }) => findByName(manifests, 'ConfigMap', configMapRef.name)?.data as object,
      ),
    ) as Environment
    const needed = (container?.lifecycle.preStop.sleep.seconds ?? 0) + shutdownSeconds(config)
    const given = pod.terminationGracePeriodSeconds
    return given === needed ? [] : [`${name}: ${given} s instead of ${needed} s`]
  })

/** Renders an overlay with one more component. */
const renderWithComponent = async (overlay: string, component: string): Promise<Manifest[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-overlay-'))
  try {
    const pathTo = (path: string): string => relative(folder, join(root, 'k8s', path))
    const kustomization = {
      namespace: 'confetti',
      resources: [pathTo(`overlays/${overlay}`)],
      components: [pathTo(`components/${component}`)],
    }
    await writeFile(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization))
    return parseManifests(await runTool('kustomize', ['build', folder]))
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('In every overlay, the grace period of a pod covers the whole shutdown of its service', async () => {
  for (const overlay of await listOverlays())
    expect(shutdownFaults(await renderManifests(overlay))).toEqual([])
})

test('In docker-compose.yml, the grace period of a container covers the whole shutdown of its service', async () => {
  for (const name of deployments.keys()) {
    const { stopGracePeriod, fileEnvironment } = await readComposeService(name)
    expect([name, stopGracePeriod]).toEqual([name, `${shutdownSeconds(fileEnvironment)}s`])
  }
})

test('With the component drain-limit, every service shuts down within the drain of a node', async () => {
  const withoutLimit = await renderManifests('production')
  expect(readPod(withoutLimit, 'uploads').terminationGracePeriodSeconds).toBeGreaterThan(DRAIN_LIMIT_SECONDS)
  const manifests = await renderWithComponent('production', 'drain-limit')
  expect(shutdownFaults(manifests)).toEqual([])
  for (const name of deployments.keys())
    expect(readPod(manifests, name).terminationGracePeriodSeconds).toBeLessThanOrEqual(DRAIN_LIMIT_SECONDS)
})

test('A grace period that is shorter than the shutdown is reported', async () => {
  const manifests = structuredClone(await renderManifests('production'))
  readPod(manifests, 'media').terminationGracePeriodSeconds = 100
  expect(shutdownFaults(manifests)).toEqual(['media: 100 s instead of 135 s'])
})
