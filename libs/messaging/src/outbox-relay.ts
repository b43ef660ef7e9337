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
// What was sent from memory is written down a moment later, together: the more there is, the less each costs.
const GATHER_MS = 200
// FerretDB keeps one of its 50 connections to PostgreSQL for each change in a bulk until all are done, and waits for
// ever when there is none left. It does one bulk at a time in each collection, of which five have outboxes.
const WRITTEN_AT_ONCE = 8

/** What became of a claim: sent, unless there is a failure. */
interface Told {
  claim: OutboxClaim
  failure?: unknown
}

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
  const underWay = new Set<Promise<void>>()
  const told: Told[] = []
  let writingDown: Promise<void> | undefined

  const tell = async (claim: OutboxClaim): Promise<Told> => {
    try {
      for (const message of claim.messages) await broker.publish(message)
      return { claim }
    } catch (failure) {
      return { claim, failure }
    }
  }

  /** Writes down what was sent; what could not be is there for the next who looks. Whether all of it was sent. */
  const writeDown = async (outcomes: readonly Told[]): Promise<boolean> => {
    const unsent = outcomes.filter((outcome) => 'failure' in outcome)
    const sent = outcomes.filter((outcome) => !('failure' in outcome))
    const claimsOf = (some: readonly Told[]) => some.map(({ claim }) => claim)
    // Something was added meanwhile.
    if (sent.length > 0 && !(await settleOutboxes(model, claimsOf(sent)))) nudge()
    if (!unsent[0]) return true
    if (broker.connected()) logger.warn({ err: unsent[0].failure }, 'outbox waits for the broker')
    await releaseOutboxes(model, claimsOf(unsent))
    return false
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
    return (await writeDown(await Promise.all(claims.map(tell)))) && claims.length > 0
  }

  const onDatabaseFailure = (error: unknown): false => {
    logger.warn({ err: error }, 'outbox waits for the database')
    return false
  }

  const patrol = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const nap = wake.signal
      const sent = await sendSome().catch(onDatabaseFailure)
      if (!sent) await sleep(PATROL_MS, undefined, { signal: nap }).catch(() => undefined)
    }
  }
  const patrolling = patrol()
  const nudge = (): void => {
    wake.abort()
    wake = new AbortController()
  }

  const writeDownTold = async (): Promise<void> => {
    await sleep(GATHER_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    while (told.length > 0) await writeDown(told.splice(0, WRITTEN_AT_ONCE)).catch(onDatabaseFailure)
    writingDown = undefined
  }

  const sendHeld = (claim: OutboxClaim): void => {
    const sending = tell(claim).then((outcome) => {
      underWay.delete(sending)
      told.push(outcome)
      writingDown ??= writeDownTold()
    })
    underWay.add(sending)
  }

  return {
    nudge,
    sendHeld,
    stop: async () => {
      stopping.abort()
      nudge()
      await Promise.all([patrolling, ...underWay])
      await writingDown
      while (await sendSome().catch(() => false));
    },
  }
}
