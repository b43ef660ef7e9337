import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@confetti/service-kit'
import type { Model } from 'mongoose'
import type { Broker } from './broker.ts'
import {
  claimOutbox,
  releaseOutboxes,
  settleOutboxes,
  type OutboxClaim,
  type OutboxFields,
} from './outbox.ts'

// Finds what another replica left behind; our own changes nudge.
const PATROL_MS = 2_000
const CLAIMS_AT_ONCE = 8
// FerretDB keeps one of its 50 connections to PostgreSQL for each change in a bulk until all are done, and waits for
// ever when there is none left. It does one bulk at a time in each collection, of which five have outboxes.
const HELD_AT_ONCE = 8

export interface OutboxRelay {
  /** Something new waits in an outbox: send it now. */
  nudge: () => void
  /** Sends what a new document, inserted with `heldOutbox`, has to tell. */
  sendHeld: (claim: OutboxClaim) => void
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
  const held: OutboxClaim[] = []
  let sendingHeld: Promise<void> | undefined

  const publish = async ({ messages }: OutboxClaim): Promise<void> => {
    for (const message of messages) await broker.publish(message)
  }

  /** Sends what these have to tell; what could not be sent is there for the next who looks. Throws if so. */
  const deliver = async (claims: readonly OutboxClaim[]): Promise<void> => {
    const outcomes = await Promise.allSettled(claims.map(publish))
    const sent = claims.filter((_, index) => outcomes[index]?.status === 'fulfilled')
    const unsent = claims.filter((_, index) => outcomes[index]?.status === 'rejected')
    // Something was added meanwhile.
    if (sent.length > 0 && !(await settleOutboxes(model, sent))) nudge()
    if (unsent.length > 0) await releaseOutboxes(model, unsent)
    const failure = outcomes.find(({ status }) => status === 'rejected')
    if (failure?.status === 'rejected') throw failure.reason
  }

  const claimSome = async (): Promise<OutboxClaim[]> => {
    const first = await claimOutbox(model)
    if (!first) return []
    // One that fails must not leave the others claimed and unsent.
    const others = await Promise.allSettled(
      Array.from({ length: CLAIMS_AT_ONCE - 1 }, () => claimOutbox(model)),
    )
    return [first, ...others.flatMap((claim) => (claim.status === 'fulfilled' ? (claim.value ?? []) : []))]
  }

  /** Whether there was something to send, and it was sent. */
  const sendSome = async (): Promise<boolean> => {
    if (!broker.connected()) return false
    const claims = await claimSome()
    await deliver(claims)
    return claims.length > 0
  }

  const patrol = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const nap = wake.signal
      const sent = await sendSome().catch((error: unknown) => {
        logger.warn({ err: error }, 'outbox waits')
        return false
      })
      if (!sent)
        await sleep(PATROL_MS, undefined, { signal: AbortSignal.any([nap, stopping.signal]) }).catch(
          () => undefined,
        )
    }
  }
  const patrolling = patrol()
  const nudge = (): void => {
    wake.abort()
    wake = new AbortController()
  }

  // What comes while some is being sent goes together: the more there is, the less each costs.
  const sendAllHeld = async (): Promise<void> => {
    while (held.length > 0) {
      const claims = held.splice(0, HELD_AT_ONCE)
      const done = broker.connected() ? deliver(claims) : releaseOutboxes(model, claims)
      await done.catch((error: unknown) => logger.warn({ err: error }, 'outbox waits'))
    }
    sendingHeld = undefined
  }

  return {
    nudge,
    sendHeld: (claim) => {
      held.push(claim)
      sendingHeld ??= sendAllHeld()
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([patrolling, sendingHeld])
      while (await sendSome().catch(() => false));
    },
  }
}
