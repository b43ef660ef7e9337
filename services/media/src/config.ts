import { tmpdir } from 'node:os'
import { messagingConfig } from '@confetti/messaging'
import { milliseconds, millisecondsOrNone, mongoUrl, serviceConfig } from '@confetti/service-kit'
import { z } from 'zod'

export const mediaConfig = serviceConfig.extend({
  ...messagingConfig.shape,
  /** Longer than a decode takes unless the machine is busy; one that is cut off is done again by another worker. */
  SHUTDOWN_GRACE_MS: millisecondsOrNone.default(90_000),
  MONGO_URL: mongoUrl,
  BLOB_CONNECTION_STRING: z.string().min(1),
  BLOB_CONTAINER: z.string().min(1),
  /** How many files are decoded at once. */
  MEDIA_CONCURRENCY: z.coerce.number().int().positive().default(2),
  MEDIA_TEMP_DIR: z.string().min(1).default(tmpdir()),
  /** Millions of pixels; phones shoot up to 108. */
  MAX_MEGAPIXELS: z.coerce.number().positive().default(120),
  /** What one decode may take; a pod needs this for each of MEDIA_CONCURRENCY, and some 200 MB for itself. */
  DECODE_MEMORY_BYTES: z.coerce.number().int().positive().default(1_073_741_824),
  /** Of processor time; a decoder that only waits has five times as long. */
  DECODE_TIME_LIMIT_MS: milliseconds.max(24 * 3_600_000).default(60_000),
  /** How often a file may take its decoder or the whole worker down before it is given up: its message comes four times. */
  MAX_ATTEMPTS: z.coerce.number().int().positive().max(4).default(4),
  HEIF_DECODER: z.enum(['auto', 'heif-convert', 'libheif-js']).default('auto'),
  /** Where ffmpeg, ffprobe, heif-convert and prlimit are looked for. */
  PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
})
