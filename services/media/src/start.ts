import { connectBlobStorage } from '@confetti/blob-storage'
import {
  createService,
  createWorkerApp,
  openDatabase,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import { createCapabilities } from './capabilities.ts'
import type { Config } from './config.ts'
import { createWarmDecoders } from './decode/decoder-processes.ts'
import { makeDecode, makeRender } from './decode/decode.ts'
import { findPrograms } from './decode/programs.ts'
import { createHeifFallbackCounter } from './metrics.ts'
import { createBlobStore } from './storage/blob-store.ts'
import { openWorkspace } from './storage/workspace.ts'

const WALL_CLOCK_FACTOR = 5
// The files of guests who send at the same time alternate.
const WARM_DECODERS_PER_SLOT = 2
const RENDITION_WALL_CLOCK_FACTOR = 1.5

/** Starts the service with its connections, and resolves when it listens. */
export const startMedia = async (config: Config, host: Host): Promise<RunningService> => {
  const service = await createService('media', config, host)
  const { logger, registry, lifecycle } = service

  const programs = await findPrograms(config, logger)
  const workspace = await openWorkspace(config.MEDIA_TEMP_DIR)
  lifecycle.onClose('workspace', workspace.close)
  const warmDecoders = createWarmDecoders(WARM_DECODERS_PER_SLOT * config.MEDIA_CONCURRENCY)
  lifecycle.onClose('decoders', () => {
    warmDecoders.killAll()
    return Promise.resolve()
  })
  const heifFallbacks = createHeifFallbackCounter(registry)
  const decoderSettings = {
    maxMegapixels: config.MAX_MEGAPIXELS,
    maxRenditionSeconds: config.RENDITION_MAX_SECONDS,
    memoryBytes: config.DECODE_MEMORY_BYTES,
    largeMemoryBytes: config.LARGE_DECODE_MEMORY_BYTES,
    priority: config.DECODER_PRIORITY,
    path: config.PATH,
    warmDecoders,
    programs,
    onHeifFallback: () => heifFallbacks.inc(),
  }
  await createCapabilities(service, {
    database: await openDatabase(service),
    blobs: createBlobStore({
      service: await connectBlobStorage(config),
      containerName: config.BLOB_CONTAINER,
    }),
    decode: makeDecode({
      ...decoderSettings,
      cpuTimeLimitMs: config.DECODE_TIMEOUT_MS,
      wallClockLimitMs: WALL_CLOCK_FACTOR * config.DECODE_TIMEOUT_MS,
    }),
    render: makeRender({
      ...decoderSettings,
      cpuTimeLimitMs: config.RENDITION_TIMEOUT_MS,
      wallClockLimitMs: RENDITION_WALL_CLOCK_FACTOR * config.RENDITION_TIMEOUT_MS,
    }),
    withTempFolder: workspace.withTempFolder,
  })
  return service.listen(createWorkerApp(service))
}
