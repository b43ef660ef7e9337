import { defineConsumer, type QueueName } from '@confetti/messaging'
import type { ReplaceLostMessages } from '../domain/replace-lost-messages.ts'

export interface QueueCreatedDeps {
  replaceLostMessages: ReplaceLostMessages
}

/** The queues of the processing of uploads, from the original to thumbnail and rendition. */
const processingQueues: readonly string[] = [
  'media.upload-completed',
  'uploads.media-processed',
  'uploads.media-failed',
  'media.rendition-requested',
  'uploads.media-rendered',
] satisfies QueueName[]

export const queueCreatedConsumer = ({ replaceLostMessages }: QueueCreatedDeps) =>
  defineConsumer(
    'uploads.queue-created',
    async ({ data, time }) => {
      if (processingQueues.includes(data.queue)) await replaceLostMessages(new Date(time))
    },
    { prefetch: 1 },
  )
