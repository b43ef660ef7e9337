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

const MEDIA_QUEUE = topologyNames('confetti').queue('media.upload-completed')

/** Scale targets that do not exist, and queues of KEDA triggers that are not the media worker's. */
const scalingFaults = (manifests: readonly Manifest[]): string[] => {
  const targets = ofKind(manifests, 'ScaledObject', 'HorizontalPodAutoscaler').map(
    ({ spec }) => spec.scaleTargetRef.name as string,
  )
  const queues = ofKind(manifests, 'ScaledObject').flatMap(({ spec }) =>
    (spec.triggers as { metadata: { queueName: string } }[]).map(({ metadata }) => metadata.queueName),
  )
  return [
    ...targets.filter((name) => !findByName(manifests, 'Deployment', name)),
    ...queues.filter((name) => name !== MEDIA_QUEUE),
  ]
}

test('Each scale target exists, and KEDA reads the queue of uploads that wait to be processed', async () => {
  for (const overlay of await listOverlays())
    expect(scalingFaults(await renderManifests(overlay))).toEqual([])
  const production = await renderManifests('production')
  expect(ofKind(production, 'ScaledObject', 'HorizontalPodAutoscaler')).toHaveLength(3)
})

test('A misspelt queue and a missing target are reported', async () => {
  const text = await render('production')
  const wrongQueue = injectFault(text, `queueName: ${MEDIA_QUEUE}`, 'queueName: media')
  expect(scalingFaults(parseManifests(wrongQueue))).toEqual(['media'])
  const target = 'scaleTargetRef:\n    name: media'
  const wrongTarget = injectFault(text, target, target.replace('media', 'medea'))
  expect(scalingFaults(parseManifests(wrongTarget))).toEqual(['medea'])
})
