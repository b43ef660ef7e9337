import { expect, test } from '@jest/globals'
import { describeState } from './texts.ts'

test.each([
  [{ status: 'processing', visibility: 'visible' }, 'Being prepared'],
  [{ status: 'processing', visibility: 'pending' }, 'Being prepared'],
  [{ status: 'ready', visibility: 'visible' }, 'Ready'],
  [{ status: 'ready', visibility: undefined }, 'Ready'],
  [{ status: 'ready', visibility: 'pending' }, 'Waiting for approval'],
  [{ status: 'ready', visibility: 'hidden' }, 'Hidden by the organisers'],
  [{ status: 'processing', visibility: 'hidden' }, 'Hidden by the organisers'],
  [{ status: 'failed', visibility: 'pending' }, "Couldn't be read"],
] as const)('When an upload is %j, then its state is %s', (upload, label) => {
  expect(describeState(upload, { hasGallery: true }).label).toBe(label)
})

test('When the event has no gallery, then a file that is ready is called sent', () => {
  expect(describeState({ status: 'ready', visibility: 'visible' }, { hasGallery: false }).label).toBe('Sent')
})
