import { randomUUID } from 'node:crypto'
import { upsertWithRetry } from '@confetti/service-kit'
import type { Connection } from 'mongoose'

interface Lease {
  _id: string
  holder: string
  until: Date
}

const LEASE_MS = 30_000
const RENEWAL_MS = 10_000

/** Whether a process is at work under this name. */
export const isLeased = async (connection: Connection, name: string): Promise<boolean> => {
  const leases = connection.collection<Lease>('leases')
  // By the id alone, which every server finds without reading other documents.
  const lease = await leases.findOne({ _id: name })
  return lease !== null && lease.until.getTime() > Date.now()
}

/**
 * Runs `work` unless another process is at work under the same name in the same database; returns whether it ran. It spares
 * replicas work that one of them does, and guarantees nothing: the lease of a process that dies or freezes ends after
 * 30 s, and one that continues then works beside its successor.
 */
export const runUnderLease = async (
  connection: Connection,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> => {
  const leases = connection.collection<Lease>('leases')
  const holder = randomUUID()
  const now = Date.now()
  const until = (): Date => new Date(Date.now() + LEASE_MS)
  await upsertWithRetry(() =>
    leases.updateOne({ _id: name }, { $setOnInsert: { holder: '', until: new Date(0) } }, { upsert: true }),
  )
  const taken = await leases.updateOne(
    { _id: name, until: { $lte: new Date(now) } },
    { $set: { holder, until: until() } },
  )
  if (taken.matchedCount === 0) return false
  const renewal = setInterval(
    () => void leases.updateOne({ _id: name, holder }, { $set: { until: until() } }).catch(() => undefined),
    RENEWAL_MS,
  )
  try {
    await work()
  } finally {
    clearInterval(renewal)
    // Without the database it ends by itself.
    await leases.updateOne({ _id: name, holder }, { $set: { until: new Date(0) } }).catch(() => undefined)
  }
  return true
}
