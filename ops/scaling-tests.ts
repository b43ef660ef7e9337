import { topologyNames } from '@confetti/messaging'
import { expect, test } from '@jest/globals'
import {
  injectFault,
  listOverlays,
  parseManifests,
  render,
  renderManifests,
  type Manifest,
} from './overlays.ts'
import { findByName, ofKind, workloads } from './references.ts'

/** Of a node with two cores, what is left by the cluster's own pods, such as DNS, metrics and an Ingress controller. */
const LOCAL_MILLICORES = 1_800

const names = topologyNames('confetti')
const MEDIA_QUEUE = names.queue('media.upload-completed')
/** The queue by which KEDA scales each Deployment. */
const queues = new Map([
  ['media', MEDIA_QUEUE],
  ['renditions', names.queue('media.rendition-requested')],
])

/** Scale targets that do not exist, and queues of KEDA triggers that are not those of their target. */
const scalingFaults = (manifests: readonly Manifest[]): string[] => {
  const targets = ofKind(manifests, 'ScaledObject', 'HorizontalPodAutoscaler').map(
    ({ spec }) => spec.scaleTargetRef.name as string,
  )
  const wrongQueues = ofKind(manifests, 'ScaledObject').flatMap(({ spec }) =>
    (spec.triggers as { metadata: { queueName: string } }[])
      .map(({ metadata }) => metadata.queueName)
      .filter((name) => name !== queues.get(spec.scaleTargetRef.name as string)),
  )
  return [...targets.filter((name) => !findByName(manifests, 'Deployment', name)), ...wrongQueues]
}

const toMillicores = (quantity: string): number => {
  const [, number, unit] = /^(\d+)(m?)$/.exec(quantity) ?? []
  if (!number) throw new Error(`${quantity} is not a number of cores or millicores`)
  return Number(number) * (unit ? 1 : 1_000)
}

/** What the pods of a workload request: all that autoscaling allows, and each twice if it is scaled while it rolls. */
const requestedMillicores = (manifests: readonly Manifest[], { metadata, spec }: Manifest): number => {
  const scaler = ofKind(manifests, 'HorizontalPodAutoscaler').find(
    ({ spec: { scaleTargetRef } }) => scaleTargetRef.name === metadata.name,
  )
  const containers = spec.template.spec.containers as { resources: { requests: { cpu: string } } }[]
  const pod = containers.reduce((sum, { resources }) => sum + toMillicores(resources.requests.cpu), 0)
  return pod * (scaler ? 2 * (scaler.spec.maxReplicas as number) : (spec.replicas as number))
}

/** The processor time that all pods of an overlay request, while everything that is scaled is also rolled. */
const totalMillicores = (manifests: readonly Manifest[]): number =>
  workloads(manifests).reduce((sum, workload) => sum + requestedMillicores(manifests, workload), 0)

test('Each scale target exists, and KEDA reads the queue of what waits for its workers', async () => {
  for (const overlay of await listOverlays())
    expect(scalingFaults(await renderManifests(overlay))).toEqual([])
  const production = await renderManifests('production')
  expect(ofKind(production, 'ScaledObject', 'HorizontalPodAutoscaler')).toHaveLength(4)
})

test('A misspelt queue and a missing target are reported', async () => {
  const text = await render('production')
  const wrongQueue = injectFault(text, `queueName: ${MEDIA_QUEUE}`, 'queueName: media')
  expect(scalingFaults(parseManifests(wrongQueue))).toEqual(['media'])
  const target = 'scaleTargetRef:\n    name: media'
  const wrongTarget = injectFault(text, target, target.replace('media', 'medea'))
  expect(scalingFaults(parseManifests(wrongTarget))).toEqual(['medea', MEDIA_QUEUE])
})

test('Two cores have room for a rolling update of local with all replicas that autoscaling allows', async () => {
  for (const overlay of ['local', 'local-throwaway', 'local-ingress'])
    expect(totalMillicores(await renderManifests(overlay))).toBeLessThanOrEqual(LOCAL_MILLICORES)
})

test('Larger requests and more replicas than local has room for are reported', async () => {
  const text = await render('local')
  const larger = injectFault(text, 'cpu: 100m', 'cpu: 1')
  expect(totalMillicores(parseManifests(larger))).toBeGreaterThan(LOCAL_MILLICORES)
  const more = injectFault(text, 'maxReplicas: 3', 'maxReplicas: 5')
  expect(totalMillicores(parseManifests(more))).toBeGreaterThan(LOCAL_MILLICORES)
})
