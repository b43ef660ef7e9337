import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import type { HandOver, HandoverResult, LeasedMail } from './mail.ts'

/** Longer than an attempt can take. */
const LEASE_MS = 5 * 60_000
const MAX_RETRY_DELAY_MS = 3_600_000
const DATABASE_RETRY_MS = 1_000
// For mails that another replica has left, and retries; new mails of this process wake the delivery.
const POLL_INTERVAL_MS = 2_000

/** The delay after the attempt number `attempts`, with a jitter so that mails are not retried all at once. */
export const retryDelay = (attempts: number, firstDelayMs: number): number =>
  Math.min(firstDelayMs * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS) * (0.75 + Math.random() / 4)

/** What became of the mail that was due. `none`: there was none. */
type Delivered = HandoverResult['outcome'] | 'expired' | 'none'

const createDeliverMail = ({ config, mails, clock, metrics, logger }: Deps, handOver: HandOver) => {
  const firstDelayMs = config.MAIL_RETRY_DELAY_MS
  /** Stores what became of a mail. While the database is unavailable, it tries again. */
  const store = async (write: () => Promise<void>): Promise<void> => {
    for (;;)
      try {
        await write()
        return
      } catch (error) {
        logger.warn({ err: error }, 'failed to store the result of a mail, will retry')
        await sleep(DATABASE_RETRY_MS)
      }
  }

  const giveUp = async (mail: LeasedMail, reason: string): Promise<void> => {
    await store(() => mails.markDead(mail, reason))
    metrics.attempted(mail.kind, 'dead')
    logger.error({ kind: mail.kind, attempts: mail.attempts, reason }, 'mail failed permanently')
  }

  const retry = async (mail: LeasedMail, reason: string, delayMs: number): Promise<void> => {
    await store(() => mails.retryAt(mail, new Date(clock().getTime() + delayMs), reason))
    metrics.attempted(mail.kind, 'deferred')
    logger.warn({ kind: mail.kind, attempts: mail.attempts, reason }, 'mail not sent, will retry')
  }

  const record = async (mail: LeasedMail, result: HandoverResult): Promise<void> => {
    const { kind, attempts } = mail
    switch (result.outcome) {
      case 'sent':
        await store(() => mails.markSent(mail))
        metrics.attempted(kind, 'sent')
        logger.info({ kind, attempts }, 'mail sent')
        return
      case 'deferred':
        if (attempts >= config.MAIL_MAX_ATTEMPTS) return giveUp(mail, result.reason)
        return retry(mail, result.reason, retryDelay(attempts, firstDelayMs))
      case 'unavailable':
        // No attempt: however long the outage lasts, the mail is sent after it.
        return retry({ ...mail, attempts: attempts - 1 }, result.reason, retryDelay(attempts, firstDelayMs))
      case 'rejected':
        return giveUp(mail, result.reason)
      case 'unconfirmed':
        await store(() => mails.markUnconfirmed(mail, result.reason))
        metrics.attempted(kind, 'unconfirmed')
        logger.error({ kind, attempts, reason: result.reason }, 'mail unconfirmed, will not retry')
        return
      case 'cancelled':
        return
    }
  }

  /** Leases whose call failed. Each may have leased a mail, which must not wait until the lease ends. */
  const lostLeaseIds = new Set<string>()

  const lease = async (): Promise<LeasedMail | undefined> => {
    for (const lostId of lostLeaseIds) {
      await mails.release(lostId)
      lostLeaseIds.delete(lostId)
    }
    const leaseId = randomUUID()
    try {
      return await mails.lease(leaseId, LEASE_MS)
    } catch (error) {
      lostLeaseIds.add(leaseId)
      throw error
    }
  }

  /** Sends one mail that is due. */
  return async (): Promise<Delivered> => {
    const mail = await lease()
    if (!mail) return 'none'
    if (mail.expiresAt && mail.expiresAt <= clock()) {
      await giveUp(mail, 'expired')
      return 'expired'
    }
    const result = await handOver(mail, () => mails.startHandover(mail))
    await record(mail, result)
    return result.outcome
  }
}

export interface Delivery {
  /** Sends new mails now, instead of at the next poll. */
  wake: () => void
  /** Marks mails as unconfirmed whose sender has died while it handed them over. */
  markAbandoned: () => Promise<void>
  /** Starts no further mail; resolves when those in progress are done. */
  stop: () => Promise<void>
}

/** Sends mails as they become due. */
export const startDelivery = (deps: Deps, handOver: HandOver): Delivery => {
  const { config, mails, stopping, clock, metrics, logger } = deps
  const deliverMail = createDeliverMail(deps, handOver)
  let isStopping = false
  let waking = new AbortController()

  const deliverNext = () =>
    deliverMail().catch((error: unknown): Delivered => {
      logger.warn({ err: error }, 'failed to read mails, will retry')
      return 'none'
    })
  const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    sleep(milliseconds, undefined, { signal }).catch(() => undefined)
  const worker = async (): Promise<void> => {
    while (!isStopping) {
      const { signal } = waking
      const delivered = await deliverNext()
      if (delivered === 'none') await pause(POLL_INTERVAL_MS, signal)
      // The next mail would have the same answer, and many failed sign-ins make mail servers lock an account.
      if (delivered === 'unavailable') await pause(config.MAIL_RETRY_DELAY_MS, stopping)
    }
  }
  const workers = Array.from({ length: config.MAIL_CONCURRENCY }, worker)
  // Its log lines must not carry the ids of the message that has called it.
  const wake = AsyncLocalStorage.bind((): void => {
    waking.abort()
    waking = new AbortController()
  })
  return {
    wake,
    markAbandoned: async () => {
      for (const kind of await mails.markAbandoned(new Date(clock().getTime() - LEASE_MS))) {
        metrics.attempted(kind, 'unconfirmed')
        logger.error({ kind, reason: 'abandoned' }, 'mail unconfirmed, will not retry')
      }
    },
    stop: async () => {
      isStopping = true
      wake()
      await Promise.all(workers)
    },
  }
}
