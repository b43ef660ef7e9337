import { randomBytes } from 'node:crypto'
import { newMessage, toEnvelope, type QueueName } from '@confetti/messaging'
import { eventually, newEvent, readSample } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  makeReady,
  messagesAbout,
  readyPhoto,
  reportRendition,
  sendPhoto,
  startGallerySystem,
  uploadsOf,
  type GallerySystem,
} from './gallery-event.ts'

let context: GallerySystem
beforeAll(async () => {
  context = await startGallerySystem()
})
afterAll(() => context.stop())

/** Publishes what a service publishes that has found these queues missing. */
const reportLost = async (...queues: QueueName[]): Promise<void> => {
  for (const message of queues.map((queue) => newMessage('queue.created.v1', { queue })))
    await context.messages.publish(toEnvelope(message, '/services/events'))
}
const renditionRequests = (uploadId: string): number =>
  messagesAbout(context, 'media.rendition-requested.v1', uploadId).length

test('When the queues of renditions were lost, then those that videos still wait for are requested again, once', async () => {
  const event = await newEvent(context.system.url('events'), context.admin, context.organiser)
  const readyVideo = async (): Promise<string> => {
    const bytes = Buffer.concat([await readSample('video.mp4'), randomBytes(16)])
    const uploadId = await sendPhoto(context, event, {}, { name: 'video.mp4', bytes })
    await makeReady(context, event, uploadId)
    return uploadId
  }
  const [photo, rendered, waiting] = [
    await readyPhoto(context, event),
    await readyVideo(),
    await readyVideo(),
  ]
  await reportRendition(context, rendered)
  await eventually(
    async () => (await uploadsOf(context, event)).some(({ videoUrl }) => videoUrl),
    'the rendition',
  )

  await reportLost('media.rendition-requested', 'uploads.media-rendered')
  await eventually(() => renditionRequests(waiting) === 1, 'the request')
  const later = await readyVideo()
  await reportLost('media.rendition-requested')
  await eventually(() => renditionRequests(later) === 1, 'the request for the later video')
  await eventually(() => renditionRequests(waiting) > 1, 'the second request')
  expect([photo, rendered, waiting].map(renditionRequests)).toEqual([0, 0, 2])
})
