import { startMessaging } from '@confetti/messaging'
import { connectMongo, createHealth, createService, pingMongo, runService } from '@confetti/service-kit'
import { createApp } from './app.ts'
import { mediaConfig } from './config.ts'
import { createConsumers } from './consumers.ts'
import { makeDecode } from './decode/decode.ts'
import { findPrograms } from './decode/programs.ts'
import { makeDiscardUpload } from './domain/discard-upload.ts'
import { makeProcessUpload } from './domain/process-upload.ts'
import { createProcessingTimer } from './metrics.ts'
import { createBlobStore } from './storage/blob-store.ts'
import { createJobModel } from './storage/job-model.ts'
import { createJobStore } from './storage/job-store.ts'
import { openWorkspace } from './storage/workspace.ts'

await runService(mediaConfig, process.env, async (config) => {
  const service = await createService('media', config)
  const { logger, metrics, lifecycle } = service

  const programs = await findPrograms(config, logger)
  const workspace = await openWorkspace(config.MEDIA_TEMP_DIR)
  lifecycle.onClose('workspace', workspace.close)
  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const model = createJobModel(connection)
  await model.createIndexes()

  const jobs = createJobStore(model)
  const blobs = createBlobStore({
    connectionString: config.BLOB_CONNECTION_STRING,
    container: config.BLOB_CONTAINER,
  })
  const decode = makeDecode({
    maxMegapixels: config.MAX_MEGAPIXELS,
    memoryBytes: config.DECODE_MEMORY_BYTES,
    timeLimitMs: config.DECODE_TIME_LIMIT_MS,
    path: config.PATH,
    programs,
  })
  const processUpload = makeProcessUpload({
    jobs,
    blobs,
    workspace,
    decode,
    maxAttempts: config.MAX_ATTEMPTS,
    announce: () => relay.nudge(),
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

  const health = createHealth({ mongo: pingMongo(connection) })
  await service.listen(createApp({ logger, metrics, health }), health)
})
