import { namesIn } from '@confetti/messaging'
import { expect, test } from '@jest/globals'
import { manifestsIn, manifestsOf, overlays, render, withFault, type Manifest } from './overlays.ts'
import { named, ofKind } from './references.ts'

const MEASURED = namesIn('confetti').queue('media.upload-completed')

/** What is scaled and not there, or by a queue that is not media's. */
const faultsOf = (manifests: readonly Manifest[]): string[] => {
  const targets = ofKind(manifests, 'ScaledObject', 'HorizontalPodAutoscaler').map(
    ({ spec }) => spec.scaleTargetRef.name as string,
  )
  const queues = ofKind(manifests, 'ScaledObject').flatMap(({ spec }) =>
    (spec.triggers as { metadata: { queueName: string } }[]).map(({ metadata }) => metadata.queueName),
  )
  return [
    ...targets.filter((name) => !named(manifests, 'Deployment', name)),
    ...queues.filter((name) => name !== MEASURED),
  ]
}

test('What is scaled is there, and KEDA looks at the queue of uploads that wait for their pictures', async () => {
  for (const overlay of await overlays()) expect(faultsOf(await manifestsIn(overlay))).toEqual([])
  const production = await manifestsIn('production')
  expect(ofKind(production, 'ScaledObject', 'HorizontalPodAutoscaler')).toHaveLength(3)
})

test('A misspelt queue is found, and a target that is not there', async () => {
  const text = await render('production')
  expect(faultsOf(manifestsOf(withFault(text, `queueName: ${MEASURED}`, 'queueName: media')))).toEqual([
    'media',
  ])
  const target = 'scaleTargetRef:\n    name: media'
  expect(faultsOf(manifestsOf(withFault(text, target, target.replace('media', 'medea'))))).toEqual(['medea'])
})
