import { connectBlobStorage } from '@confetti/blob-storage'
import { startMessaging } from '@confetti/messaging'
import {
  connectMongo,
  createHealth,
  createService,
  pingMongo,
  runPeriodically,
  runService,
  systemClock as clock,
} from '@confetti/service-kit'
import { createApp } from './app.ts'
import { configSchema } from './config.ts'
import { createConsumers } from './consumers.ts'
import { makeDecode } from './decode/decode.ts'
import { findPrograms } from './decode/programs.ts'
import { makeDiscardUpload } from './domain/discard-upload.ts'
import { makeProcessUpload } from './domain/process-upload.ts'
import { makeSweep } from './domain/sweep.ts'
import { createProcessingTimer } from './metrics.ts'
import { createBlobStore } from './storage/blob-store.ts'
import { createJobModel } from './storage/job-model.ts'
import { createJobStore } from './storage/job-store.ts'
import { openWorkspace } from './storage/workspace.ts'

const WALL_CLOCK_FACTOR = 5

await runService(configSchema, process.env, async (config) => {
  const { logger, metrics, lifecycle, listen } = await createService('media', config)

  const programs = await findPrograms(config, logger)
  const workspace = await openWorkspace(config.MEDIA_TEMP_DIR)
  lifecycle.onClose('workspace', workspace.close)
  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const model = createJobModel(connection)
  await model.createIndexes()

  // The relay is created below, as its consumers need this store.
  const jobs = createJobStore({ model, clock, wakeRelay: () => relay.wakeRelay() })
  const blobs = createBlobStore({
    service: await connectBlobStorage(config),
    containerName: config.BLOB_CONTAINER,
  })
  const decode = makeDecode({
    maxMegapixels: config.MAX_MEGAPIXELS,
    memoryBytes: config.DECODE_MEMORY_BYTES,
    cpuTimeLimitMs: config.DECODE_TIMEOUT_MS,
    wallClockLimitMs: WALL_CLOCK_FACTOR * config.DECODE_TIMEOUT_MS,
    path: config.PATH,
    programs,
  })
  const processUpload = makeProcessUpload({
    jobs,
    blobs,
    withTempFolder: workspace.withTempFolder,
    decode,
    maxAttempts: config.MAX_ATTEMPTS,
    logger,
  })
  const consumers = createConsumers({
    processUpload,
    discardUpload: makeDiscardUpload({ jobs, blobs }),
    timer: createProcessingTimer(metrics),
    concurrency: config.MEDIA_CONCURRENCY,
  })

  const relay = startMessaging({
    config,
    service: 'media',
    consumers,
    model,
    metrics,
    logger,
    lifecycle,
  })

  const sweep = makeSweep({ jobs, clock, retentionMs: config.JOB_RETENTION_MS, logger })
  lifecycle.onStop(
    'sweep',
    runPeriodically(sweep, { name: 'sweep', intervalMs: config.SWEEP_INTERVAL_MS, logger }),
  )

  const health = createHealth({ mongo: pingMongo(connection) })
  await listen(createApp({ requestTimeoutMs: config.REQUEST_TIMEOUT_MS, logger, metrics, health }), health)
})
