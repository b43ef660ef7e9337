import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@confetti/service-kit'
import type { DeliverMail } from './deliver-mail.ts'

// For mails that another replica has left, and retries; new mails of this process wake the delivery.
const POLL_INTERVAL_MS = 2_000

export interface Delivery {
  /** Sends new mails now, instead of at the next poll. */
  wake: () => void
  /** Starts no further mail; resolves when those in progress are done. */
  stop: () => Promise<void>
}

/** Sends mails as they become due, at most `concurrency` at once. */
export const runDelivery = (
  deliverMail: DeliverMail,
  { concurrency, logger }: { concurrency: number; logger: Logger },
): Delivery => {
  let isStopping = false
  let waking = new AbortController()

  const deliverNext = () =>
    deliverMail().catch((error: unknown) => {
      logger.warn({ err: error }, 'failed to read mails, will retry')
      return false
    })
  const worker = async (): Promise<void> => {
    while (!isStopping) {
      const { signal } = waking
      if (!(await deliverNext())) await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  const workers = Array.from({ length: concurrency }, worker)
  // Its log lines must not carry the ids of the message that has called it.
  const wake = AsyncLocalStorage.bind((): void => {
    waking.abort()
    waking = new AbortController()
  })
  return {
    wake,
    stop: async () => {
      isStopping = true
      wake()
      await Promise.all(workers)
    },
  }
}
