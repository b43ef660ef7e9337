import { expect, test } from '@jest/globals'
import { uploadFixture } from '../test/upload-fixture.ts'
import { getVisibilityActions, groupVisibilityActions } from './grid-view.ts'

test.each([
  ['visible', ['hide']],
  ['pending', ['approve', 'hide']],
  ['hidden', ['show']],
] as const)('When the visibility of an upload is %s, then its actions are %j', (visibility, kinds) => {
  expect(getVisibilityActions(uploadFixture(1, { visibility })).map(({ kind }) => kind)).toEqual(kinds)
})

test('When uploads are selected, then each action has those that it applies to', () => {
  const uploads = (['visible', 'pending', 'pending', 'hidden'] as const).map((visibility, index) =>
    uploadFixture(index, { visibility }),
  )
  expect(groupVisibilityActions(uploads).map(({ kind, uploads: { length } }) => [kind, length])).toEqual([
    ['approve', 2],
    ['show', 1],
    ['hide', 3],
  ])
  expect(groupVisibilityActions([])).toEqual([])
})
