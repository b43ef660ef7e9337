import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import type { BlobServiceClient } from '@azure/storage-blob'
import { createBlobRemoval } from '@confetti/blob-storage'
import { blobNames } from '@confetti/contracts'
import type { BlobStore } from '../jobs/job.ts'

// For one small request. A download has no total limit, only one on idleness.
const REQUEST_TIMEOUT_MS = 30_000
const IDLE_TIMEOUT_MS = 30_000
// For a rendition, which has at most 235 MB and is sent in one request.
const UPLOAD_TIMEOUT_MS = 5 * 60_000

const headersOf = (blobContentType: string) => ({
  blobContentType,
  // Derivatives never change. Their links are signed, so shared caches must not store them.
  blobCacheControl: 'private, max-age=31536000, immutable',
})

export const createBlobStore = ({
  service,
  containerName,
}: {
  service: BlobServiceClient
  containerName: string
}): BlobStore => {
  const container = service.getContainerClient(containerName)
  const withTimeout = () => ({ abortSignal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
  const { removeBlob } = createBlobRemoval(container, withTimeout)
  const put = async (name: string, type: string, bytes: Uint8Array | undefined): Promise<void> => {
    if (!bytes) return
    await container.getBlockBlobClient(name).upload(Buffer.from(bytes), bytes.byteLength, {
      blobHTTPHeaders: headersOf(type),
      ...withTimeout(),
    })
  }

  return {
    downloadOriginal: async (uploadId, file) => {
      const sha256 = createHash('sha256')
      let crc = 0
      const idle = new AbortController()
      // AbortSignal.timeout cannot be extended while chunks arrive.
      const timer = setTimeout(
        () => idle.abort(new Error(`No data from blob storage for ${IDLE_TIMEOUT_MS / 1_000} s`)),
        IDLE_TIMEOUT_MS,
      )
      try {
        const { readableStreamBody: body } = await container
          .getBlobClient(blobNames.original(uploadId))
          .download(0, undefined, { abortSignal: idle.signal, maxRetryRequests: 3 })
        if (!body) throw new Error('The response of blob storage has no body')
        await pipeline(
          body,
          async function* (chunks) {
            for await (const chunk of chunks) {
              timer.refresh()
              sha256.update(chunk)
              crc = crc32(chunk, crc)
              yield chunk
            }
          },
          createWriteStream(file),
          { signal: idle.signal },
        )
        return { sha256: sha256.digest('hex'), crc32: crc }
      } finally {
        clearTimeout(timer)
      }
    },

    putDerivatives: async (uploadId, { thumbnail, preview, copy }) => {
      await Promise.all([
        put(blobNames.thumbnail(uploadId), 'image/webp', thumbnail),
        put(blobNames.preview(uploadId), 'image/webp', preview),
        put(blobNames.copy(uploadId), 'image/jpeg', copy),
      ])
    },

    putRendition: async (uploadId, file) => {
      await container.getBlockBlobClient(blobNames.rendition(uploadId)).uploadFile(file, {
        blobHTTPHeaders: headersOf('video/mp4'),
        abortSignal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
      })
    },

    removeUpload: async (uploadId) => {
      const blobs = container.listBlobsFlat({ prefix: blobNames.folder(uploadId), ...withTimeout() })
      for await (const { name } of blobs) await removeBlob(name)
    },
  }
}
