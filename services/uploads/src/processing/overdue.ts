import { DECODER_VERSION, PROCESSING_CRASHED } from '@confetti/contracts'
import { throwIfAny, tryEach, unavailable } from '@confetti/service-kit'
import { renditionTimeoutMs } from '../config.ts'
import type { Deps } from '../deps.ts'

/** How often something that is overdue is requested again. */
const MAX_REQUESTS = 6
const BATCH_SIZE = 500
// As many copies as workers make between two sweeps: more would only wait in the queue.
const COPY_BATCH_SIZE = 1_000
/** Longer than a replica may use an old copy of an event. */
const SETTLE_MS = 60_000
// Their decoding must not delay new uploads for long.
const RETRY_BATCH_SIZE = 100
const NOT_REQUESTED = 'some uploads were not requested again'

/** Returns when request number `requests + 1` is due: the delay doubles each time. */
const nextDueAt = (now: Date, timeoutMs: number, requests: number): Date =>
  new Date(now.getTime() + timeoutMs * 2 ** requests)

interface OverdueUpload {
  _id: string
}

/**
 * Requests again what the media worker should have done long ago, as messages may be lost. Several replicas can do it at
 * once.
 */
export const createOverdue = ({
  config,
  uploads,
  eventCopies,
  runAlone,
  stopping,
  clock,
  metrics,
  logger,
}: Deps) => {
  const onError = (error: unknown, { _id }: OverdueUpload): void =>
    logger.warn({ err: error, uploadId: _id }, 'failed to request processing again, will retry')

  /**
   * Calls `handle` for all that `list` returns, in batches. Afterwards, what was handled must no longer be overdue; what has
   * failed is left, and its errors are returned.
   */
  const forEachOverdue = async <T extends OverdueUpload>(
    list: (limit: number) => Promise<T[]>,
    handle: (overdue: T) => Promise<void>,
  ): Promise<unknown[]> => {
    const failed = new Map<string, unknown>()
    for (;;) {
      const batch = await list(BATCH_SIZE + failed.size)
      const untried = batch.filter(({ _id }) => !failed.has(_id))
      await tryEach(untried, handle, {
        stopping,
        onError: (error, overdue) => {
          failed.set(overdue._id, error)
          onError(error, overdue)
        },
      })
      if (untried.length < BATCH_SIZE || stopping.aborted) return [...failed.values()]
    }
  }

  const giveUp = async (uploadId: string): Promise<void> => {
    await uploads.markFailed({ uploadId, reason: PROCESSING_CRASHED })
    logger.error({ uploadId, requests: MAX_REQUESTS }, 'upload was never processed, marked as failed')
    metrics.abandoned()
  }

  /**
   * Requests processing again for uploads that have waited too long for it, and gives up those for which it has been
   * requested often enough: with 15 minutes before the first request, the last one is after 16 hours, and the upload
   * fails 16 hours later. What decoders of an earlier version have refused also waits for it again, some in each run, until
   * those of this version have decoded or refused it. Returns how many of each.
   */
  const requestProcessing = async (): Promise<{ requeued: number; abandoned: number; retried: number }> => {
    const now = clock()
    const refused = await uploads.listRefused(DECODER_VERSION, RETRY_BATCH_SIZE)
    const errors = await tryEach(
      refused,
      ({ _id, timesRequested }) =>
        uploads.retryProcessing(_id, {
          decoderVersion: DECODER_VERSION,
          dueAt: nextDueAt(now, config.PROCESSING_TIMEOUT_MS, timesRequested),
        }),
      { stopping, onError },
    )
    const counts = { requeued: 0, abandoned: 0, retried: refused.length - errors.length }
    const overdueErrors = await forEachOverdue(
      (limit) => uploads.listOverdue(now, limit),
      async (upload) => {
        const requests = upload.timesRequested + 1
        if (requests > MAX_REQUESTS) {
          await giveUp(upload._id)
          counts.abandoned += 1
          return
        }
        const dueAt = nextDueAt(now, config.PROCESSING_TIMEOUT_MS, requests)
        await uploads.requestProcessing(upload, { requestedAt: now, dueAt })
        counts.requeued += 1
      },
    )
    throwIfAny([...errors, ...overdueErrors], NOT_REQUESTED)
    return counts
  }

  /**
   * Requests the renditions again that videos have waited too long for: with half an hour before the first request, the
   * last one is after 32 hours. Nothing is published of a rendition that has failed, so it is requested as often; the
   * media worker does not make it again. Returns the number of requests.
   */
  const requestRenditions = async (): Promise<number> => {
    const now = clock()
    let requested = 0
    const errors = await forEachOverdue(
      (limit) => uploads.listOverdueRenditions(now, limit),
      async (upload) => {
        const requests = upload.timesRequested + 1
        const dueAt =
          requests < MAX_REQUESTS ? nextDueAt(now, renditionTimeoutMs(config), requests) : undefined
        await uploads.requestRendition(upload, { requestedAt: now, dueAt })
        requested += 1
      },
    )
    throwIfAny(errors, NOT_REQUESTED)
    return requested
  }

  /**
   * Marks the missing copies of photos as due in events that have begun to allow copies, until nothing is missing that was
   * sent before all replicas knew. Returns the errors of those that have failed.
   */
  const markMissingCopies = async (now: Date): Promise<unknown[]> =>
    tryEach(
      await eventCopies.listWithMissingCopies(),
      async ({ _id, copiesSince }) => {
        const marked = await uploads.markCopiesDue(_id, now)
        const since = copiesSince ?? now
        const isDone = marked === 0 && now.getTime() - since.getTime() >= SETTLE_MS
        await eventCopies.markCopies(_id, { since, isDone })
      },
      {
        stopping,
        onError: (error, { _id: eventId }) =>
          logger.warn({ err: error, eventId }, 'failed to look for missing copies, will retry'),
      },
    )

  /**
   * Requests the copies of photos that are missing, a bounded number in each run: of photos that were there before their event
   * allowed copies, and those that were requested and have not come, as often as renditions. Returns the number of requests.
   */
  const requestCopies = async (): Promise<number> => {
    const now = clock()
    const eventErrors = await markMissingCopies(now)
    const overdue = await uploads.listOverdueCopies(now, COPY_BATCH_SIZE)
    const errors = await tryEach(
      overdue,
      async (copy) => {
        const requests = copy.timesRequested + 1
        const dueAt =
          requests < MAX_REQUESTS ? nextDueAt(now, renditionTimeoutMs(config), requests) : undefined
        await uploads.requestCopy(copy, { requestedAt: now, dueAt })
        metrics.copy(dueAt ? 'requested' : 'abandoned')
      },
      { stopping, onError },
    )
    throwIfAny([...eventErrors, ...errors], NOT_REQUESTED)
    return overdue.length
  }

  return {
    requestProcessing,
    requestRenditions,
    requestCopies,

    /**
     * Requests all processing, renditions and copies again that are waited for, after a queue was lost with its messages at
     * `lostAt`. It makes no difference which queue: a finished job only publishes its result again. A broker that lost
     * its data is noticed for each queue by several services; what the first call has requested again, the others find
     * no more. Throws 503 while another replica is at it, so that the message comes again.
     */
    replaceLostMessages: async (lostAt: Date): Promise<void> => {
      const hasRun = await runAlone('lost messages', async () => {
        await uploads.markOverdue(lostAt, clock())
        await requestProcessing()
        await requestRenditions()
        await requestCopies()
      })
      if (!hasRun) throw unavailable('Another replica requests lost messages again')
    },
  }
}
export type Overdue = ReturnType<typeof createOverdue>
