import {
  BlobSASPermissions,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
  type BlobSASSignatureValues,
  type BlobServiceClient,
} from '@azure/storage-blob'
import { unavailable, type Clock, type Metrics } from '@confetti/service-kit'
import { Gauge } from 'prom-client'

// Azure accepts signed requests from clocks that differ from its own by up to 15 minutes; so do our links.
const CLOCK_SKEW_MS = 15 * 60_000
// A delegation key lives at most seven days. All replicas ask for the same times, so that their links can be equal.
const KEY_STEP_MS = 6 * 3_600_000
const KEY_LIFE_MS = 48 * 3_600_000
// The latest whose signatures by delegation keys Azurite 3.35 can check.
const DELEGATION_VERSION = '2025-07-05'

/** Options that abort the calls to blob storage that they are passed to. */
export interface Deadline {
  abortSignal: AbortSignal
}

export interface LinkOptions extends Pick<BlobSASSignatureValues, 'contentDisposition' | 'contentType'> {
  /** `r` reads, `c` creates a blob that does not exist, `w` writes. */
  permissions: 'r' | 'c' | 'w'
  /** When the link starts to be valid by an exact clock. Clocks that are 15 minutes slow accept it as well. */
  startsAt: Date
  expiresAt: Date
}

export interface LinkSigner {
  /** The query of a link to a blob. Throws `unavailable` if the key has expired. */
  sign: (blob: { containerName: string; blobName: string }, options: LinkOptions) => string
  /** Gets a new key where keys expire. Call it every hour. */
  renewKey: () => Promise<void>
}

interface Deps {
  clock: Clock
  newCallDeadline: () => Deadline
  metrics: Metrics
}

const toSignatureValues = ({ permissions, startsAt, expiresAt, ...responseHeaders }: LinkOptions) => ({
  permissions: BlobSASPermissions.parse(permissions),
  startsOn: new Date(startsAt.getTime() - CLOCK_SKEW_MS),
  expiresOn: expiresAt,
  ...responseHeaders,
})

const createAccountKeySigner = (credential: StorageSharedKeyCredential): LinkSigner => ({
  sign: (blob, options) =>
    generateBlobSASQueryParameters({ ...blob, ...toSignatureValues(options) }, credential).toString(),
  renewKey: () => Promise.resolve(),
})

const createDelegationKeySigner = async (
  service: BlobServiceClient,
  { clock, newCallDeadline, metrics }: Deps,
): Promise<LinkSigner> => {
  const fetchKey = () => {
    const step = Math.floor(clock().getTime() / KEY_STEP_MS) * KEY_STEP_MS
    return service.getUserDelegationKey(
      new Date(step - CLOCK_SKEW_MS),
      new Date(step + KEY_LIFE_MS),
      newCallDeadline(),
    )
  }
  let key = await fetchKey()
  new Gauge({
    name: 'uploads_link_key_expires_timestamp_seconds',
    help: 'When the key that signs links expires',
    registers: [metrics],
    collect() {
      this.set(key.signedExpiresOn.getTime() / 1_000)
    },
  })
  return {
    sign: (blob, options) => {
      const values = toSignatureValues(options)
      if (values.expiresOn > key.signedExpiresOn)
        throw unavailable('Photos cannot be reached right now. Please try again in a moment.')
      // A resumed ticket may be older than the key.
      const startsOn = values.startsOn < key.signedStartsOn ? key.signedStartsOn : values.startsOn
      return generateBlobSASQueryParameters(
        { ...blob, ...values, startsOn, version: DELEGATION_VERSION },
        key,
        service.accountName,
      ).toString()
    },
    renewKey: async () => {
      key = await fetchKey()
    },
  }
}

/**
 * Signs links with the account key that `service` was connected with, or else with a user delegation key, which it gets
 * from Azure. Fails if it gets none.
 * https://learn.microsoft.com/rest/api/storageservices/create-user-delegation-sas
 */
export const createLinkSigner = async (service: BlobServiceClient, deps: Deps): Promise<LinkSigner> =>
  service.credential instanceof StorageSharedKeyCredential
    ? createAccountKeySigner(service.credential)
    : createDelegationKeySigner(service, deps)
