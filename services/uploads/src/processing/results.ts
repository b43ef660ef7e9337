import type { MessageData } from '@confetti/contracts'
import { defineConsumer, type Consumer, type QueueName } from '@confetti/messaging'
import { changeUntilWritten } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import { uploadBusy } from '../rejections.ts'
import type { StoredUpload } from '../upload.ts'
import type { Overdue } from './overdue.ts'

const DAMAGED = 'The file was damaged on its way. Please send it again.'

/** Records what the media worker found out about an upload. A hash that a guest has declared is replaced by the true one. */
const createResults = ({ uploads, clock, logger }: Deps) => {
  /**
   * Returns the upload if its hash was only declared. If the event has the same bytes already, the upload is merged into
   * the other one, which then belongs to the senders of both.
   */
  const verifyHash = async (
    uploadId: string,
    sha256: string | undefined,
  ): Promise<StoredUpload | undefined> => {
    if (!sha256) return undefined
    const { upload, isMerged } = await changeUntilWritten(async () => {
      const upload = await uploads.findUnverified(uploadId)
      if (!upload) return { upload, isMerged: false }
      const outcome = await uploads.setHash(upload, sha256)
      if (outcome === 'changed') return undefined
      if (outcome === 'stored') return { upload, isMerged: false }
      const [other] = await uploads.findByHash(upload.eventId, upload.photoCredit, [sha256])
      // Either may have been deleted meanwhile.
      const isMerged = other !== undefined && (await uploads.mergeInto(uploadId, other._id, clock()))
      return isMerged ? { upload: undefined, isMerged } : undefined
    }, uploadBusy)
    if (isMerged)
      logger.info({ uploadId, sha256 }, 'upload has the same bytes as another one, merged into it')
    return upload
  }

  return {
    ready: async (result: MessageData<'media.processed.v1'>): Promise<void> => {
      const { uploadId, sha256 } = result
      const declared = await verifyHash(uploadId, sha256)
      if (declared && declared.sha256 !== sha256)
        logger.warn({ uploadId, declared: declared.sha256, sha256 }, 'upload differs from its declared hash')
      await uploads.markReady(result)
    },

    failed: async (result: MessageData<'media.failed.v1'>): Promise<void> => {
      const { uploadId, sha256 } = result
      const declared = await verifyHash(uploadId, sha256)
      const isDamaged = declared !== undefined && declared.sha256 !== sha256
      await uploads.markFailed(isDamaged ? { ...result, reason: DAMAGED } : result)
    },
  }
}

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

/** What uploads consumes of the processing of uploads. */
export const createProcessingConsumers = (deps: Deps, overdue: Overdue): Consumer[] => {
  const { uploads, metrics } = deps
  const results = createResults(deps)
  return [
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
}
