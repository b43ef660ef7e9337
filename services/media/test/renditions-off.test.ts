import {
  eventually,
  newAdmin,
  newEvent,
  newOrganiser,
  readCounter,
  readSample,
  sendFiles,
  startTestSystem,
  type TestSystem,
} from '@confetti/test-kit'
import { afterAll, beforeAll, test } from '@jest/globals'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({
    services: ['auth', 'events', 'uploads', 'media'],
    environment: {
      // A rendition is overdue after twice as long.
      uploads: { PROCESSING_TIMEOUT_MS: '1000', SWEEP_INTERVAL_MS: '50' },
      media: { MEDIA_TASKS: 'previews', VIDEO_RENDITIONS: 'off' },
    },
  })
})
afterAll(() => system.stop())

test('When renditions are turned off and have no workers, then the other workers drop the requests of uploads', async () => {
  const admin = await newAdmin(system, system.url('auth'))
  const event = await newEvent(system.url('events'), admin, await newOrganiser(system.url('auth')))
  const video = { name: 'video.mp4', bytes: await readSample('video.mp4') }
  await sendFiles(system.url('uploads'), event._id, [video])
  await eventually(
    async () =>
      (await readCounter(system, 'media', 'messaging_handled_total', {
        queue: 'media.rendition-requested',
        outcome: 'handled',
      })) > 0,
    'a request to be dropped',
    60_000,
  )
})
