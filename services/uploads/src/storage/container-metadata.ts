import { setTimeout as sleep } from 'node:timers/promises'
import { RestError, type ContainerClient } from '@azure/storage-blob'
import type { Deadline } from './link-signer.ts'

// The least that Azure allows. The lease of a killed process ends by itself.
const LEASE_SECONDS = 15
const LEASE_POLL_MS = 200
const MAX_POLLS = (2 * LEASE_SECONDS * 1_000) / LEASE_POLL_MS

type Metadata = Record<string, string>

/**
 * Writes what `change` makes of the metadata of the container, nothing if that is undefined. Metadata are written as a whole,
 * and Azure accepts no etag for a container's: a lease keeps other writers away, and a write after its end fails. Throws
 * `LeaseAlreadyPresent` if another process is writing.
 */
export const changeContainerMetadata = async (
  container: ContainerClient,
  newCallDeadline: () => Deadline,
  change: (metadata: Metadata) => Metadata | undefined,
): Promise<void> => {
  const lease = container.getBlobLeaseClient()
  await lease.acquireLease(LEASE_SECONDS, newCallDeadline())
  try {
    const { metadata = {} } = await container.getProperties(newCallDeadline())
    const changed = change(metadata)
    const conditions = { leaseId: lease.leaseId }
    if (changed) await container.setMetadata(changed, { conditions, ...newCallDeadline() })
  } finally {
    // Otherwise it ends in some seconds.
    await lease.releaseLease(newCallDeadline()).catch(() => undefined)
  }
}

/** Does the same, and waits while another process is writing. */
export const changeContainerMetadataInTurn: typeof changeContainerMetadata = async (...parameters) => {
  for (let poll = 1; ; poll += 1)
    try {
      await changeContainerMetadata(...parameters)
      return
    } catch (error) {
      const isTaken = error instanceof RestError && error.code === 'LeaseAlreadyPresent'
      if (!isTaken || poll === MAX_POLLS) throw error
      await sleep(LEASE_POLL_MS)
    }
}
