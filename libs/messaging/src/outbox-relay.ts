import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@confetti/service-kit'
import type { Model } from 'mongoose'
import type { Broker } from './broker.ts'
import { claimOutbox, releaseOutbox, settleOutbox, type OutboxFields } from './outbox.ts'

const LEASE_MS = 30_000
// Finds what another replica left behind; our own changes nudge.
const PATROL_MS = 2_000
const SENDERS = 4

export interface OutboxRelay {
  /** Something new waits in an outbox: send it now. */
  nudge: () => void
  /** Sends what waits, if the broker is there, and resolves. */
  stop: () => Promise<void>
}

/** Sends the facts that wait in the documents of `model`, each at least once, in order within a document. */
export const startOutboxRelay = <T extends OutboxFields>({
  model,
  broker,
  logger,
}: {
  model: Model<T>
  broker: Broker
  logger: Logger
}): OutboxRelay => {
  const stopping = new AbortController()
  let wake = new AbortController()

  /** Whether there was something to send, and it was sent. */
  const sendOne = async (): Promise<boolean> => {
    if (!broker.connected()) return false
    const claim = await claimOutbox(model, LEASE_MS)
    if (!claim) return false
    try {
      for (const message of claim.messages) await broker.publish(message)
    } catch (error) {
      await releaseOutbox(model, claim)
      throw error
    }
    await settleOutbox(model, claim)
    return true
  }

  const send = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const nap = wake.signal
      const sent = await sendOne().catch((error: unknown) => {
        logger.warn({ err: error }, 'outbox waits')
        return false
      })
      if (!sent)
        await sleep(PATROL_MS, undefined, { signal: AbortSignal.any([nap, stopping.signal]) }).catch(
          () => undefined,
        )
    }
  }
  const senders = Array.from({ length: SENDERS }, send)
  const nudge = (): void => {
    wake.abort()
    wake = new AbortController()
  }

  return {
    nudge,
    stop: async () => {
      stopping.abort()
      await Promise.all(senders)
      while (await sendOne().catch(() => false));
    },
  }
}
