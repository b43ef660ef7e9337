import { blobConfig } from '@confetti/blob-storage'
import { jsonLimitsConfig, MB, textLimitsConfig, uploadLimitsConfig } from '@confetti/contracts'
import { messagingConfig } from '@confetti/messaging'
import {
  positiveMilliseconds,
  nonNegativeMilliseconds,
  mongoUrl,
  origins,
  serviceConfig,
  tokenVerifierConfig,
  signingSecrets,
} from '@confetti/service-kit'
import { z } from 'zod'

/**
 * By how much a busy process grows besides the memory of forms that are read: V8 collects freed buffers only after 64 MB of
 * them, the heap grows, and forms that wait have been read in part.
 */
const MEMORY_OVERHEAD_BYTES = 256 * MB

/** ORPHAN_AGE_MS is at least this many times as long as an upload can be completed or be sent. */
const ORPHAN_AGE_FACTOR = 1.5

const variables = serviceConfig.extend({
  /** Long enough to send the largest file, 500 MB, at 1.2 Mbit/s. */
  SHUTDOWN_GRACE_MS: nonNegativeMilliseconds.default(3_600_000),
  /**
   * Longer than the gateway's, so that the gateway answers a guest whose bytes stop arriving; here the connection
   * would just break. It is also the window over which an upload must average a kilobyte a second.
   */
  IDLE_TIMEOUT_MS: positiveMilliseconds.default(75_000),
  ...tokenVerifierConfig.shape,
  ...messagingConfig.shape,
  ...uploadLimitsConfig.shape,
  ...jsonLimitsConfig.shape,
  MAX_CREDIT_CHARACTERS: textLimitsConfig.shape.MAX_CREDIT_CHARACTERS,
  MONGO_URL: mongoUrl,
  EVENTS_URL: z.url(),
  ...blobConfig.shape,
  /** The address at which browsers reach blob storage, if it differs from the one that services use. */
  BLOB_PUBLIC_URL: z.url().optional(),
  /** For one call to blob storage, or those after the last byte of a form's file; below the gateway's IDLE_TIMEOUT_MS. */
  BLOB_TIMEOUT_MS: positiveMilliseconds.default(45_000),
  /** Where guests find their own links. */
  SHELL_URL: z.url(),
  /** The pages that may read blobs. */
  SHELL_ORIGINS: origins,
  /** The most bytes by which uploads in progress may make this process grow. */
  MEMORY_LIMIT_BYTES: z.coerce
    .number()
    .int()
    .min(MEMORY_OVERHEAD_BYTES + 16 * MB)
    .default(352 * MB),
  /** How long a form may wait for memory, and another call of a guest who sends for its turn, before it gets 503. */
  ADMISSION_TIMEOUT_MS: positiveMilliseconds.default(20_000),
  /** Of how many events a replica remembers what it asks for again and again: at least those of an evening. */
  MAX_CACHED_EVENTS: z.coerce.number().int().positive().default(2_000),
  /** Whether guests can send files straight to blob storage. If not, their pages send them in forms. */
  DIRECT_UPLOADS: z.enum(['on', 'off']).default('on'),
  /** Signs upload tickets and the links of archives. */
  TICKET_SECRET: signingSecrets,
  /** Counts open tickets, and what guests store and report. */
  REDIS_URL: z.url(),
  /** The most files, and megabytes of them, that one guest may have open tickets for in one event. */
  MAX_OPEN_TICKETS: z.coerce.number().int().positive().default(1_000),
  MAX_OPEN_TICKET_MB: z.coerce.number().int().positive().default(20_000),
  /** The most files, and megabytes of them, that one guest may store in one event in 24 hours. */
  GUEST_FILES_PER_DAY: z.coerce.number().int().positive().default(5_000),
  GUEST_MB_PER_DAY: z.coerce.number().int().positive().default(50_000),
  /** The most uploads that one guest, and all guests at one address, may report in an hour. */
  GUEST_REPORTS_PER_HOUR: z.coerce.number().int().positive().default(30),
  ADDRESS_REPORTS_PER_HOUR: z.coerce.number().int().positive().default(100),
  /**
   * How long after its ticket was issued a direct upload can be resumed or completed; at most two thirds of ORPHAN_AGE_MS,
   * so that the sweep does not remove what can still be completed.
   */
  TICKET_LIFE_MS: positiveMilliseconds.default(24 * 3_600_000),
  /** How long a link to an archive is valid. */
  ARCHIVE_LINK_LIFE_MS: positiveMilliseconds.max(24 * 3_600_000).default(24 * 3_600_000),
  /** The most downloads of archives at once; each takes about 10 MB of memory. */
  MAX_ARCHIVE_DOWNLOADS: z.coerce.number().int().positive().default(10),
  /**
   * The most bytes that one download of an archive gets in a second; unlimited unless set. A slower download hits the
   * idle timeouts of proxies.
   */
  ARCHIVE_BYTES_PER_SECOND: z.coerce
    .number()
    .int()
    .min(MB / 8)
    .optional(),
  SWEEP_INTERVAL_MS: positiveMilliseconds.default(10 * 60_000),
  /** The longest that one request may take: 500 MB at 12 kB a second. */
  MAX_UPLOAD_DURATION_MS: positiveMilliseconds.default(12 * 3_600_000),
  /** The sweep removes blobs without a record from this age on, when their upload has certainly ended. */
  ORPHAN_AGE_MS: positiveMilliseconds.max(7 * 24 * 3_600_000).default(36 * 3_600_000),
  /**
   * How long the sweep keeps what it has found without a record before it removes it: time to notice that the database was
   * restored from a backup.
   */
  ORPHAN_QUARANTINE_MS: nonNegativeMilliseconds.default(7 * 24 * 3_600_000),
  /** The most uploads without a record whose blobs one sweep removes, so that a mistake cannot remove much at once. */
  SWEEP_ORPHANS_LIMIT: z.coerce.number().int().positive().default(200),
  /**
   * How long an upload may wait for its thumbnail before `upload.completed` is published again; twice as long for each
   * further time. After the sixth time the upload fails.
   */
  PROCESSING_TIMEOUT_MS: positiveMilliseconds.default(15 * 60_000),
})

export const configSchema = variables.refine(
  ({ MAX_UPLOAD_DURATION_MS, ORPHAN_AGE_MS }) => ORPHAN_AGE_MS >= ORPHAN_AGE_FACTOR * MAX_UPLOAD_DURATION_MS,
  { path: ['ORPHAN_AGE_MS'], error: 'is less than one and a half times MAX_UPLOAD_DURATION_MS' },
)

export type Config = z.infer<typeof configSchema>

/** The configuration of the command that recovers uploads. */
export const recoveryConfigSchema = variables.pick({
  MONGO_URL: true,
  BLOB_CONNECTION_STRING: true,
  BLOB_ACCOUNT_URL: true,
  BLOB_CONTAINER: true,
  BLOB_TIMEOUT_MS: true,
  ORPHAN_AGE_MS: true,
  TICKET_LIFE_MS: true,
  PROCESSING_TIMEOUT_MS: true,
})
export type RecoveryConfig = z.infer<typeof recoveryConfigSchema>

/** For how long after its id was made an upload can be sent or completed; less than ORPHAN_AGE_MS. */
export const completableMs = ({ ORPHAN_AGE_MS }: Pick<Config, 'ORPHAN_AGE_MS'>): number =>
  ORPHAN_AGE_MS / ORPHAN_AGE_FACTOR

/** How long a ticket can be completed or resumed. */
export const ticketLifeMs = (config: Pick<Config, 'TICKET_LIFE_MS' | 'ORPHAN_AGE_MS'>): number =>
  Math.min(config.TICKET_LIFE_MS, completableMs(config))

/** How long after its request a rendition is overdue: it takes longer than a thumbnail, and more of them wait. */
export const renditionTimeoutMs = ({
  PROCESSING_TIMEOUT_MS,
}: Pick<Config, 'PROCESSING_TIMEOUT_MS'>): number => 2 * PROCESSING_TIMEOUT_MS

/** The most bytes of memory that forms may use. */
export const formMemoryBytes = ({ MEMORY_LIMIT_BYTES }: Config): number =>
  MEMORY_LIMIT_BYTES - MEMORY_OVERHEAD_BYTES
