import { defineConsumer, type Consumer, type QueueName } from '@confetti/messaging'
import type { Deps } from '../deps.ts'
import type { Overdue } from './overdue.ts'
import type { Results } from './results.ts'

/** The queues of the processing of uploads, from the original to thumbnail and rendition. */
const processingQueues: readonly string[] = [
  'media.upload-completed',
  'uploads.media-processed',
  'uploads.media-failed',
  'media.rendition-requested',
  'uploads.media-rendered',
  'media.copy-requested',
  'uploads.media-copied',
] satisfies QueueName[]

export const processingConsumers = (
  { uploads, metrics }: Deps,
  { results, overdue }: { results: Results; overdue: Overdue },
): Consumer[] => [
  defineConsumer('uploads.media-processed', ({ data }) => results.ready(data)),
  defineConsumer('uploads.media-failed', ({ data }) => results.failed(data)),
  defineConsumer('uploads.media-rendered', ({ data }) => uploads.markRendered(data)),
  defineConsumer('uploads.media-copied', async ({ data }) => {
    await uploads.markCopied(data)
    metrics.copy('made')
  }),
  defineConsumer(
    'uploads.queue-created',
    async ({ data, time }) => {
      if (processingQueues.includes(data.queue)) await overdue.replaceLostMessages(new Date(time))
    },
    { prefetch: 1 },
  ),
]
