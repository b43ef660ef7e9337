import { MB, textLimitsConfig, uploadLimitsConfig } from '@confetti/contracts'
import { messagingConfig } from '@confetti/messaging'
import {
  milliseconds,
  millisecondsOrNone,
  mongoUrl,
  origins,
  serviceConfig,
  tokenCheckConfig,
} from '@confetti/service-kit'
import { z } from 'zod'

/**
 * What a busy process grows by beside the requests and files that it counts: V8 lets 64 MB of freed buffers lie
 * before it collects, its heap grows, some memory of files rests, and what waits to begin has been read in part. 150 to
 * 190 MB were measured with 500 guests, 230 to 250 with 2,000.
 */
export const GARBAGE_BYTES = 256 * MB

const variables = serviceConfig.extend({
  /** The largest file, 500 MB, on a line of 1.2 Mbit/s. */
  SHUTDOWN_GRACE_MS: millisecondsOrNone.default(3_600_000),
  /**
   * Longer than the gateway's, which tells a guest whose bytes stop coming; here the connection would just break.
   * Over this time an upload must also come at a kilobyte a second.
   */
  IDLE_TIMEOUT_MS: milliseconds.default(75_000),
  ...tokenCheckConfig.shape,
  ...messagingConfig.shape,
  ...uploadLimitsConfig.shape,
  MAX_CREDIT_CHARACTERS: textLimitsConfig.shape.MAX_CREDIT_CHARACTERS,
  MONGO_URL: mongoUrl,
  EVENTS_URL: z.url(),
  BLOB_CONNECTION_STRING: z.string().min(1),
  BLOB_CONTAINER: z.string().min(3).default('confetti'),
  /** Where browsers reach the blob service, if that is elsewhere than we do. */
  BLOB_PUBLIC_URL: z.url().optional(),
  /** What one call to blob storage may take, a block of 4 MB at most; below the gateway's IDLE_TIMEOUT_MS. */
  BLOB_TIME_LIMIT_MS: milliseconds.default(45_000),
  /** Whose pages may read blobs. */
  SHELL_ORIGINS: origins,
  /** The most bytes by which requests and files in transit may make this process grow. */
  MEMORY_CEILING_BYTES: z.coerce
    .number()
    .int()
    .min(GARBAGE_BYTES + 16 * MB)
    .default(352 * MB),
  /** How long a new request may wait for room before it is asked to come again. */
  ADMISSION_WAIT_MS: milliseconds.default(20_000),
  SWEEP_INTERVAL_MS: milliseconds.default(10 * 60_000),
  /** What one request may last, at most: 500 MB at 12 kB a second. */
  LONGEST_UPLOAD_MS: milliseconds.default(12 * 3_600_000),
  /** Bytes without a record are leftovers when they are this old: by then an upload has long been kept or given up. */
  LEFTOVER_AGE_MS: milliseconds.max(7 * 24 * 3_600_000).default(24 * 3_600_000),
  /** An upload that waits longer for its thumbnail is handed to the media worker once more. */
  PROCESSING_PATIENCE_MS: milliseconds.default(15 * 60_000),
})

export const configSchema = variables.refine(
  ({ LONGEST_UPLOAD_MS, LEFTOVER_AGE_MS }) => LEFTOVER_AGE_MS >= 1.5 * LONGEST_UPLOAD_MS,
  { path: ['LEFTOVER_AGE_MS'], error: 'is less than one and a half times LONGEST_UPLOAD_MS' },
)
