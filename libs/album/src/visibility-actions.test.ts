import { expect, test } from '@jest/globals'
import { uploadFixture } from '../test/upload-fixture.ts'
import { getVisibilityActions, groupVisibilityActions } from './visibility-actions.ts'

test.each([
  ['visible', ['Hide']],
  ['pending', ['Approve', 'Hide']],
  ['hidden', ['Show']],
  [undefined, ['Hide']],
] as const)('When the visibility of an upload is %s, then its actions are %j', (visibility, labels) => {
  expect(getVisibilityActions(uploadFixture(1, { visibility })).map(({ label }) => label)).toEqual(labels)
})

test('When uploads are selected, then each action has those that it applies to', () => {
  const uploads = (['visible', 'pending', 'pending', 'hidden'] as const).map((visibility, index) =>
    uploadFixture(index, { visibility }),
  )
  expect(groupVisibilityActions(uploads).map(({ label, uploads: { length } }) => [label, length])).toEqual([
    ['Approve', 2],
    ['Show', 1],
    ['Hide', 3],
  ])
  expect(groupVisibilityActions([])).toEqual([])
})
