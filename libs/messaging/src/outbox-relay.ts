import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@confetti/service-kit'
import type { Model } from 'mongoose'
import type { Broker } from './broker.ts'
import { isLeased, runUnderLease } from './lease.ts'
import {
  claimOutboxes,
  findPending,
  markSent,
  releaseClaims,
  type OutboxClaim,
  type OutboxFields,
} from './outbox.ts'

// For messages that another replica has left; changes of this process wake the relay at once.
const POLL_INTERVAL_MS = 2_000
const CLAIM_BATCH_SIZE = 8
// With more pending documents than a batch there is a backlog, which one replica publishes.
const SEARCH_LIMIT = 500
// Messages published from memory are marked as sent after this delay, in batches: larger batches cost less per message.
const MARK_SENT_DELAY_MS = 200

/** The result of publishing a claim: sent, unless it has an error. */
interface PublishResult {
  claim: OutboxClaim
  error?: unknown
}

/** What a search for pending messages has led to. Elsewhere: another replica publishes the backlog. */
type Outcome = 'published' | 'idle' | 'elsewhere'

export interface OutboxRelay {
  /** Publishes new messages in outboxes now, instead of at the next poll. */
  wakeRelay: () => void
  /** Publishes the messages of a document that was inserted with `leasedOutbox`. */
  publishLeased: (claim: OutboxClaim) => void
  /** Publishes what is pending, if the broker is connected, and stops. */
  stop: () => Promise<void>
}

/** The documents whose outboxes a relay empties. */
export interface OutboxModel<T extends OutboxFields> {
  model: Model<T>
  /** What to set in a document whose messages were published late: its change may have been written late, too. */
  getLateFields?: (() => Record<string, unknown>) | undefined
}

/** Publishes the messages in the outboxes of `model`, each at least once, in order within a document. */
export const startOutboxRelay = <T extends OutboxFields>({
  model,
  getLateFields,
  broker,
  pollIntervalMs = POLL_INTERVAL_MS,
  logger,
}: OutboxModel<T> & {
  broker: Broker
  pollIntervalMs?: number
  logger: Logger
}): OutboxRelay => {
  const stopping = new AbortController()
  let wake = new AbortController()
  const inFlight = new Set<Promise<void>>()
  const published: PublishResult[] = []
  let markingSent: Promise<void> | undefined
  const backlogLease = `outbox/${model.collection.name}`

  const publishClaim = async (claim: OutboxClaim): Promise<PublishResult> => {
    try {
      for (const message of claim.messages) await broker.publish(message)
      return { claim }
    } catch (error) {
      return { claim, error }
    }
  }

  /** Marks published claims as sent and releases the others; returns whether all were published. */
  const record = async (results: readonly PublishResult[]): Promise<boolean> => {
    const failed = results.filter((result) => 'error' in result)
    const sent = results.filter((result) => !('error' in result))
    const claimsOf = (some: readonly PublishResult[]) => some.map(({ claim }) => claim)
    // False: a message was added in the meantime.
    if (sent.length > 0 && !(await markSent(model, claimsOf(sent), getLateFields?.()))) wakeRelay()
    if (!failed[0]) return true
    if (broker.isConnected()) logger.warn({ err: failed[0].error }, 'failed to publish messages, will retry')
    await releaseClaims(model, claimsOf(failed))
    return false
  }

  /** Publishes the messages of these documents in batches, as long as the broker is connected; returns whether all were published. */
  const publishFound = async (ids: readonly unknown[]): Promise<boolean> => {
    let areAllPublished = true
    for (let start = 0; start < ids.length && broker.isConnected(); start += CLAIM_BATCH_SIZE) {
      const claims = await claimOutboxes(model, ids.slice(start, start + CLAIM_BATCH_SIZE))
      // One that can't be published must not hold up the others.
      if (!(await record(await Promise.all(claims.map(publishClaim))))) areAllPublished = false
    }
    return areAllPublished && broker.isConnected()
  }

  /** Searches once and publishes what it finds, unless another replica still publishes the backlog that it left. */
  const publishPending = async (last: Outcome): Promise<Outcome> => {
    if (!broker.isConnected()) return 'idle'
    // A search would find the same backlog, and slow down the replica that publishes it.
    if (last === 'elsewhere' && (await isLeased(model.db, backlogLease))) return 'elsewhere'
    const ids = await findPending(model, SEARCH_LIMIT)
    let areAllPublished = ids.length > 0
    const publish = async (): Promise<void> => {
      areAllPublished &&= await publishFound(ids)
    }
    if (ids.length <= CLAIM_BATCH_SIZE) await publish()
    else if (!(await runUnderLease(model.db, backlogLease, publish))) return 'elsewhere'
    return areAllPublished ? 'published' : 'idle'
  }

  const onDatabaseError = (error: unknown): 'idle' => {
    logger.warn({ err: error }, 'failed to access outbox, will retry')
    return 'idle'
  }

  const pollLoop = async (): Promise<void> => {
    let outcome: Outcome = 'idle'
    while (!stopping.signal.aborted) {
      const { signal } = wake
      outcome = await publishPending(outcome).catch(onDatabaseError)
      // What another replica publishes is not searched for each change.
      const until = outcome === 'elsewhere' ? stopping.signal : signal
      if (outcome !== 'published')
        await sleep(pollIntervalMs, undefined, { signal: until }).catch(() => undefined)
    }
  }
  const polling = pollLoop()
  const wakeRelay = (): void => {
    wake.abort()
    wake = new AbortController()
  }

  const markPublished = async (): Promise<void> => {
    await sleep(MARK_SENT_DELAY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    while (published.length > 0) await record(published.splice(0)).catch(onDatabaseError)
    markingSent = undefined
  }

  // Its log lines must not carry the ids of the request that has called it last.
  const publishLeased = AsyncLocalStorage.bind((claim: OutboxClaim): void => {
    const publishing = publishClaim(claim).then((result) => {
      inFlight.delete(publishing)
      published.push(result)
      markingSent ??= markPublished()
    })
    inFlight.add(publishing)
  })

  return {
    wakeRelay,
    publishLeased,
    stop: async () => {
      stopping.abort()
      wakeRelay()
      await Promise.all([polling, ...inFlight])
      await markingSent
      while ((await publishPending('idle').catch(onDatabaseError)) === 'published');
    },
  }
}
