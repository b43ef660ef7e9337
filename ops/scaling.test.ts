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
import { findByName, ofKind } from './references.ts'

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
