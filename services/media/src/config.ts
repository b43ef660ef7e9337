import { tmpdir } from 'node:os'
import { blobConfig } from '@confetti/blob-storage'
import { messagingConfig } from '@confetti/messaging'
import { positiveMilliseconds, nonNegativeMilliseconds, mongoUrl, serviceConfig } from '@confetti/service-kit'
import { z } from 'zod'

const mediaTask = z.enum(['previews', 'renditions'])

export const configSchema = serviceConfig.extend({
  ...messagingConfig.shape,
  /** Longer than a decode takes unless the machine is busy. Another worker repeats a decode that is interrupted. */
  SHUTDOWN_GRACE_MS: nonNegativeMilliseconds.default(90_000),
  MONGO_URL: mongoUrl,
  ...blobConfig.shape,
  /** What this worker does: thumbnails and previews of all uploads, or renditions of videos, or both. */
  MEDIA_TASKS: z
    .string()
    .default('previews,renditions')
    .transform((text) => text.split(','))
    .pipe(z.array(mediaTask).min(1)),
  /** With 'off', no renditions are made. */
  VIDEO_RENDITIONS: z.enum(['on', 'off']).default('on'),
  /** How many renditions are made at the same time. */
  RENDITION_CONCURRENCY: z.coerce.number().int().positive().default(1),
  /** Longer videos get no rendition. */
  RENDITION_MAX_SECONDS: z.coerce.number().int().positive().max(600).default(600),
  /**
   * The processor time that one rendition may use. Its wall-clock time may be half as long again: that leaves ten minutes
   * for download and upload before RabbitMQ takes the message back, after half an hour.
   */
  RENDITION_TIMEOUT_MS: positiveMilliseconds.max(10 * 60_000).default(10 * 60_000),
  /** How many files are decoded at the same time. */
  MEDIA_CONCURRENCY: z.coerce.number().int().positive().default(2),
  MEDIA_TEMP_DIR: z.string().min(1).default(tmpdir()),
  /** Millions of pixels; phones take photos of up to 200. */
  MAX_MEGAPIXELS: z.coerce.number().positive().default(220),
  /** The memory limit of one decode. */
  DECODE_MEMORY_BYTES: z.coerce.number().int().positive().default(1_073_741_824),
  /**
   * The memory limit of a photo above 65 megapixels, and of the rendition of a video above 16. One at a time is decoded: a
   * pod needs this once, DECODE_MEMORY_BYTES for each other file, and about 200 MB for the worker.
   */
  LARGE_DECODE_MEMORY_BYTES: z.coerce.number().int().positive().default(2_684_354_560),
  /** The processor time that one decode may use. The limit on its wall-clock time is five times as long. */
  DECODE_TIMEOUT_MS: positiveMilliseconds.max(24 * 3_600_000).default(60_000),
  /** How often a file may crash its decoder or the worker before it fails. A message is delivered four times at most. */
  MAX_ATTEMPTS: z.coerce.number().int().positive().max(4).default(4),
  SWEEP_INTERVAL_MS: positiveMilliseconds.default(60 * 60_000),
  /** How long a job is kept after its last change; longer than uploads requests processing again. */
  JOB_RETENTION_MS: positiveMilliseconds.min(24 * 3_600_000).default(7 * 24 * 3_600_000),
  /** With 'low', services that share the processors of the decoders run first. */
  DECODER_PRIORITY: z.enum(['low', 'normal']).default('low'),
  HEIF_DECODER: z.enum(['auto', 'heif-convert', 'libheif-js']).default('auto'),
  /** Where ffmpeg, ffprobe, heif-convert and prlimit are searched for. */
  PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
})
export type Config = z.infer<typeof configSchema>
