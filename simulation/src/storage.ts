import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { RestError } from '@azure/storage-blob'
import { mayBelongTo } from '@confetti/blob-storage'
import { blobNames } from '@confetti/contracts'
import { createBlobStore as createMediaBlobs } from '@confetti/media/storage/blob-store'
import { UnprocessableMediaError } from '@confetti/media/decode/decoder-protocol'
import type { Machine } from '@confetti/media/jobs/jobs'
import { createMemoryBlobStorage } from '@confetti/test-kit/memory-blobs'
import { createBlobAccount } from '@confetti/uploads/storage/blob-account'
import { createBlobStore } from '@confetti/uploads/storage/blob-store'
import { createDirectBlobs } from '@confetti/uploads/storage/direct-blobs'
import type { UploadBlobs } from '@confetti/uploads/upload-blobs'
import type { Logger } from '@confetti/service-kit'
import type { PhoneFile } from './files.ts'
import { NoAnswerError, type Scheduler } from './scheduler.ts'

const CONTAINER = 'confetti'
const clock = (): Date => new Date()

/** The storage account, what uploads and media do with it, and what guests do by links. */
export const createStorage = (scheduler: Scheduler, isGone: () => boolean) => {
  const memory = createMemoryBlobStorage({ now: clock })
  const turn = async (label: string): Promise<void> => {
    await scheduler.turn(label)
    if (isGone()) throw new RestError('The storage account is gone', { code: 'REQUEST_SEND_ERROR' })
  }
  const container = memory.connect(turn).getContainerClient(CONTAINER)
  const atOnce = memory.connect().getContainerClient(CONTAINER)

  const readAll = async (uploadId: string): Promise<Buffer> => {
    const { readableStreamBody } = await container.getBlobClient(blobNames.original(uploadId)).download()
    const chunks: Buffer[] = []
    for await (const chunk of readableStreamBody ?? []) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks)
  }

  const listNames = async (): Promise<string[]> => {
    const names: string[] = []
    for await (const { name } of atOnce.listBlobsFlat({ includeUncommitedBlobs: true })) names.push(name)
    return names
  }

  return {
    /** Creates what the services expect to be there. */
    prepare: () => atOnce.createIfNotExists(),

    /** What a phone does with a link. Rejects if blob storage does not answer. */
    send: async (
      url: string,
      request: { headers: Record<string, string>; body?: Buffer; query?: Record<string, string> },
    ) =>
      memory.send(url, { method: 'PUT', ...request }, turn).catch((error: unknown) => {
        throw new NoAnswerError(String(error))
      }),

    /** Whether this is the original of an upload. */
    isStored: async (uploadId: string, { size, blocks }: PhoneFile): Promise<boolean> => {
      const blob = atOnce.getBlobClient(blobNames.original(uploadId))
      const properties = await blob.getProperties().catch(() => undefined)
      if (properties?.contentLength !== size) return false
      const start = await blob.downloadToBuffer(Buffer.alloc(Math.min(size, 100)), 0, Math.min(size, 100))
      return start.equals(blocks[0]?.subarray(0, 100) ?? Buffer.alloc(0))
    },

    /** All blobs, committed or not. */
    listNames,
    /** The blobs of an event. */
    listBlobsOf: async (eventId: string): Promise<string[]> =>
      (await listNames()).filter((name) => mayBelongTo(eventId, name.replace(/^staging\//, ''))),

    createUploadBlobs: (logger: Logger): UploadBlobs => {
      const account = createBlobAccount({
        service: memory.connect(turn),
        containerName: CONTAINER,
        publicUrl: undefined,
        linkSigner: memory.linkSigner,
        newCallDeadline: () => ({ abortSignal: new AbortController().signal }),
      })
      return { ...createBlobStore(account, logger), ...createDirectBlobs(account, clock) }
    },

    /** A machine that decodes what starts as a JPEG. */
    createMachine: (): Machine => {
      const contents = new Map<string, Buffer>()
      return {
        blobs: {
          ...createMediaBlobs({ service: memory.connect(turn), containerName: CONTAINER }),
          downloadOriginal: async (uploadId, file) => {
            const bytes = await readAll(uploadId)
            contents.set(file, bytes)
            return { sha256: createHash('sha256').update(bytes).digest('hex'), crc32: crc32(bytes) }
          },
        },
        decode: async ({ file, copy }) => {
          await turn('decodes')
          const bytes = contents.get(file)
          contents.delete(file)
          if (!bytes?.subarray(0, 2).equals(Buffer.from('ffd8', 'hex')))
            throw new UnprocessableMediaError('This is not a photo.')
          return {
            thumbnail: bytes.subarray(0, 8),
            preview: bytes.subarray(0, 16),
            ...(copy && { copy: bytes.subarray(0, 12) }),
            metadata: { width: 4, height: 3 },
          }
        },
        render: () => Promise.reject(new UnprocessableMediaError('There are no videos.')),
        withTempFolder: (_, work) => work(`folder-${String(Math.random())}`),
      }
    },
  }
}
export type Storage = ReturnType<typeof createStorage>
