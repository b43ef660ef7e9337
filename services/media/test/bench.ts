import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlobServiceClient } from '@azure/storage-blob'
import { blobNames, type Envelope, type MediaType, type MessageData } from '@confetti/contracts'
import { eventually, hearMessages, startTestSystem } from '@confetti/test-kit'
import { processesWith } from './processes.ts'

const newUpload = () => ({
  uploadId: randomBytes(12).toString('hex'),
  eventId: randomBytes(12).toString('hex'),
})
export type Upload = ReturnType<typeof newUpload>

const envelope = <T extends 'upload.completed.v1' | 'upload.deleted.v1'>(
  type: T,
  data: MessageData<T>,
): Envelope<T> => ({
  specversion: '1.0',
  id: randomUUID(),
  type,
  source: 'uploads',
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  data,
})

/** A worker with the uploads service's side of its work in the test's hands. */
export const startBench = async (environment: Record<string, string> = {}) => {
  const tempDir = await mkdtemp(join(tmpdir(), 'confetti-bench-'))
  // The slower way for HEIC leaves a test the time to interfere.
  const media = { MEDIA_TEMP_DIR: tempDir, HEIF_DECODER: 'libheif-js', ...environment }
  const system = await startTestSystem({ services: ['media'], environment: { media } })
  const container = BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(
    system.namespace,
  )
  await container.create()
  const heard = await hearMessages(system)
  const [worker] = system.replicas('media')
  if (!worker) throw new Error('No worker')

  const putOriginal = ({ uploadId }: Upload, bytes: Uint8Array) =>
    container.getBlockBlobClient(blobNames.original(uploadId)).upload(Buffer.from(bytes), bytes.length)
  const sayCompleted = (upload: Upload, contentType: MediaType, size = 1) =>
    heard.say(envelope('upload.completed.v1', { ...upload, contentType, size }))
  const outcomesOf = ({ uploadId }: Upload) =>
    [...heard.of('media.processed.v1'), ...heard.of('media.failed.v1')].filter(
      ({ data }) => data.uploadId === uploadId,
    )

  return {
    worker,
    container,
    tempDir,
    newUpload,
    putOriginal,
    sayCompleted,
    send: async (bytes: Uint8Array, contentType: MediaType): Promise<Upload> => {
      const upload = newUpload()
      await putOriginal(upload, bytes)
      await sayCompleted(upload, contentType, bytes.length)
      return upload
    },
    sayDeleted: (upload: Upload) => heard.say(envelope('upload.deleted.v1', upload)),
    outcomesOf,
    /** The `count`th outcome that is told of an upload. */
    outcomeOf: (upload: Upload, count = 1) =>
      eventually(() => outcomesOf(upload)[count - 1], `outcome of ${upload.uploadId}`),
    blobsOf: async ({ uploadId }: Upload): Promise<string[]> => {
      const names: string[] = []
      for await (const { name } of container.listBlobsFlat({ prefix: blobNames.folder(uploadId) }))
        names.push(name)
      return names
    },
    decoders: () => processesWith(tempDir),
    /** Resolves in the middle of a job. */
    decoding: () => eventually(async () => (await processesWith(tempDir)).length > 0, 'a running decoder'),
    stop: async (): Promise<void> => {
      await heard.close()
      await system.stop()
      await container.delete()
      await rm(tempDir, { recursive: true })
    },
  }
}
export type Bench = Awaited<ReturnType<typeof startBench>>
