import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlobServiceClient } from '@azure/storage-blob'
import { blobNames, type Envelope, type MediaType, type MessageData } from '@confetti/contracts'
import { eventually, recordMessages, startTestSystem } from '@confetti/test-kit'
import { processesWith } from './processes.ts'

const newUpload = () => ({
  uploadId: randomBytes(12).toString('hex'),
  eventId: randomBytes(12).toString('hex'),
})
export type Upload = ReturnType<typeof newUpload>

const envelope = <
  T extends
    'upload.completed.v1' | 'upload.deleted.v1' | 'media.rendition-requested.v1' | 'media.copy-requested.v1',
>(
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

/** Starts a media worker. The test plays the part of the uploads service. */
export const startHarness = async (
  environment: Record<string, string> = {},
  { processes = [] }: { processes?: readonly ['media'] | readonly [] } = {},
) => {
  // Not `confetti-media-`: workers remove such folders of workers that have ended.
  const tempDir = await mkdtemp(join(tmpdir(), 'confetti-worker-test-'))
  // The slower decoder for HEIC gives a test time to interfere.
  const media = { MEDIA_TEMP_DIR: tempDir, HEIF_DECODER: 'libheif-js', ...environment }
  const system = await startTestSystem({ services: ['media'], processes, environment: { media } })
  const container = BlobServiceClient.fromConnectionString(system.backends.blob).getContainerClient(
    system.namespace,
  )
  await container.create()
  const recorded = await recordMessages(system)
  const [worker] = system.replicas('media')
  if (!worker) throw new Error('No worker')

  const putOriginal = ({ uploadId }: Upload, bytes: Uint8Array) =>
    container.getBlockBlobClient(blobNames.original(uploadId)).upload(Buffer.from(bytes), bytes.length)
  const publishCompleted = (
    upload: Upload,
    contentType: MediaType,
    size = 1,
    headers: Record<string, number> = {},
  ) => recorded.publish(envelope('upload.completed.v1', { ...upload, contentType, size }), headers)
  const outcomesOf = ({ uploadId }: Upload) =>
    [...recorded.ofType('media.processed.v1'), ...recorded.ofType('media.failed.v1')].filter(
      ({ data }) => data.uploadId === uploadId,
    )

  const renditionsOf = ({ uploadId }: Upload) =>
    recorded.ofType('media.rendered.v1').filter(({ data }) => data.uploadId === uploadId)

  const waitForDecoder = (): Promise<number[]> =>
    eventually(async () => {
      const pids = await processesWith(tempDir)
      return pids.length > 0 && pids
    }, 'a running decoder')

  return {
    system,
    worker,
    container,
    tempDir,
    mongoUrl: new URL(`/${system.namespace}-media`, system.backends.mongo).href,
    newUpload,
    putOriginal,
    publishCompleted,
    /** Stores an original and publishes `upload.completed`. */
    upload: async (bytes: Uint8Array, contentType: MediaType, guestId?: string): Promise<Upload> => {
      const upload = { ...newUpload(), ...(guestId && { guestId }) }
      await putOriginal(upload, bytes)
      await publishCompleted(upload, contentType, bytes.length)
      return upload
    },
    publishDeleted: (upload: Upload) => recorded.publish(envelope('upload.deleted.v1', upload)),
    /** The outcomes of an upload that have been published so far. */
    outcomesOf,
    /** Waits until `count` outcomes of an upload have been published; returns the last of them. */
    waitForOutcome: (upload: Upload, count = 1) =>
      eventually(() => outcomesOf(upload)[count - 1], `outcome of ${upload.uploadId}`),
    requestRendition: ({ uploadId }: Upload) =>
      recorded.publish(
        envelope('media.rendition-requested.v1', { uploadId, contentType: 'video/mp4', size: 1 }),
      ),
    /** Publishes `upload.completed` with a request for a copy. */
    publishCompletedWithCopy: (
      upload: Upload,
      size: number,
      copy: MessageData<'media.copy-requested.v1'>['copy'],
    ) =>
      recorded.publish(envelope('upload.completed.v1', { ...upload, contentType: 'image/jpeg', size, copy })),
    requestCopy: ({ uploadId }: Upload, request: Omit<MessageData<'media.copy-requested.v1'>, 'uploadId'>) =>
      recorded.publish(envelope('media.copy-requested.v1', { uploadId, ...request })),
    /** Waits until the copy of an upload has been reported `count` times; returns the last report. */
    waitForCopy: ({ uploadId }: Upload, count = 1) =>
      eventually(
        () => recorded.ofType('media.copied.v1').filter(({ data }) => data.uploadId === uploadId)[count - 1],
        `copy of ${uploadId}`,
      ),
    /** The requests for renditions so far. */
    renditionRequests: () => recorded.ofType('media.rendition-requested.v1'),
    /** The reports of an upload's rendition so far. */
    renditionsOf,
    /** Waits until the rendition of an upload has been reported `count` times; returns the last report. */
    waitForRendition: (upload: Upload, count = 1) =>
      eventually(() => renditionsOf(upload)[count - 1], `rendition of ${upload.uploadId}`),
    /** Waits until a rendition is being made; returns the process that leads the group. */
    waitForRenditionProcess: () =>
      eventually(async () => (await processesWith(tempDir, '"task":"rendition"'))[0], 'a rendition'),
    blobsOf: async ({ uploadId }: Upload): Promise<string[]> => {
      const names: string[] = []
      for await (const { name } of container.listBlobsFlat({ prefix: blobNames.folder(uploadId) }))
        names.push(name)
      return names
    },
    /** The log lines of the sweeps so far. */
    sweeps: () => system.log.filter((line) => line.includes('sweep completed')),
    decoderPids: () => processesWith(tempDir),
    /** Waits until a decoder runs, and returns the ids of its processes. */
    waitForDecoder,
    /** Waits until a decoder runs, and suspends it. Returns a function that resumes it if it still exists. */
    suspendDecoder: async (): Promise<() => void> => {
      const pids = await waitForDecoder()
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      return () => {
        for (const pid of pids)
          try {
            process.kill(pid, 'SIGCONT')
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
          }
      }
    },
    stop: async (): Promise<void> => {
      await recorded.close()
      await system.stop()
      await container.delete()
      await rm(tempDir, { recursive: true })
    },
  }
}
export type Harness = Awaited<ReturnType<typeof startHarness>>
