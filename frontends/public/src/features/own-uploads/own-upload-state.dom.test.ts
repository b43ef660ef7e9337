import { expect, test } from '@jest/globals'
import { describeState } from './own-upload-state.tsx'

test.each([
  [{ status: 'processing', visibility: 'visible' }, 'own.state.processing'],
  [{ status: 'processing', visibility: 'pending' }, 'own.state.processing'],
  [{ status: 'ready', visibility: 'visible' }, 'own.state.ready'],
  [{ status: 'ready', visibility: 'pending' }, 'own.state.pending'],
  [{ status: 'ready', visibility: 'hidden' }, 'own.state.hidden'],
  [{ status: 'processing', visibility: 'hidden' }, 'own.state.hidden'],
  [{ status: 'failed', visibility: 'pending' }, 'own.state.failed'],
] as const)('When an upload is %j, then its state is %s', (upload, label) => {
  expect(describeState(upload, { hasGallery: true }).label).toBe(label)
})

test('When the event has no gallery, then a file that is ready is called sent', () => {
  expect(describeState({ status: 'ready', visibility: 'visible' }, { hasGallery: false }).label).toBe(
    'own.state.sent',
  )
})
