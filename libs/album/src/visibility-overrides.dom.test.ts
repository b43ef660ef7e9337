import { beforeEach, expect, test } from '@jest/globals'
import { uploadFixture } from '../test/upload-fixture.ts'
import { createVisibilityOverrides } from './use-uploads.ts'

const pending = uploadFixture(1, { visibility: 'pending' })
const visible = uploadFixture(1, { visibility: 'visible' })
const id = pending._id

let now: number
let overrides: ReturnType<typeof createVisibilityOverrides>
beforeEach(() => {
  now = 100
  overrides = createVisibilityOverrides(() => now)
})

test('When a list was requested before a change was stored, then it is corrected; a later one is right', () => {
  const correct = overrides.trackRequest()
  now = 200
  overrides.set([id], 'visible')()
  expect(correct([pending])).toEqual([visible])
  now = 201
  const list = [pending]
  expect(overrides.trackRequest()(list)).toBe(list)
})

test('When a change is not stored yet, then every list is corrected', () => {
  overrides.set([id], 'visible')
  now = 1_000
  expect(overrides.trackRequest()([pending])).toEqual([visible])
  expect(overrides.apply([pending])).toEqual([visible])
})

test('When an upload is changed again, then the last change counts', () => {
  const markStored = overrides.set([id], 'visible')
  overrides.set([id], 'pending')
  markStored()
  now = 1_000
  expect(overrides.trackRequest()([visible])).toEqual([pending])
})
