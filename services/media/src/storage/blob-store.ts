import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { BlobServiceClient } from '@azure/storage-blob'
import { blobNames } from '@confetti/contracts'

// For a small request; a download may take as long as it likes while bytes come.
const TIME_LIMIT_MS = 30_000
const IDLE_LIMIT_MS = 30_000

const derivativeHeaders = {
  blobContentType: 'image/webp',
  // They never change, but neither they nor their address are for everybody.
  blobCacheControl: 'private, max-age=31536000, immutable',
}

export interface Derivatives {
  thumbnail: Uint8Array
  preview: Uint8Array
}

export const createBlobStore = ({
  connectionString,
  container,
}: {
  connectionString: string
  container: string
}) => {
  const blobs = BlobServiceClient.fromConnectionString(connectionString).getContainerClient(container)
  const soon = () => ({ abortSignal: AbortSignal.timeout(TIME_LIMIT_MS) })
  const put = (name: string, bytes: Uint8Array) =>
    blobs
      .getBlockBlobClient(name)
      .upload(Buffer.from(bytes), bytes.byteLength, { blobHTTPHeaders: derivativeHeaders, ...soon() })

  return {
    /**
     * Streams the original into a file. A missing one is an error like any other: either its deletion is under
     * way, and the next attempt knows of it, or the storage has lost it, which a person must hear of.
     */
    downloadOriginal: async (uploadId: string, file: string): Promise<void> => {
      const idle = new AbortController()
      const timer = setTimeout(() => idle.abort(new Error('The blob storage has gone silent')), IDLE_LIMIT_MS)
      try {
        const { readableStreamBody: body } = await blobs
          .getBlobClient(blobNames.original(uploadId))
          .download(0, undefined, { abortSignal: idle.signal, maxRetryRequests: 3 })
        if (!body) throw new Error('The blob storage sent no body')
        await pipeline(
          body,
          async function* (chunks) {
            for await (const chunk of chunks) {
              timer.refresh()
              yield chunk
            }
          },
          createWriteStream(file),
          { signal: idle.signal },
        )
      } finally {
        clearTimeout(timer)
      }
    },

    putDerivatives: async (uploadId: string, { thumbnail, preview }: Derivatives): Promise<void> => {
      await Promise.all([
        put(blobNames.thumbnail(uploadId), thumbnail),
        put(blobNames.preview(uploadId), preview),
      ])
    },

    /** Removes the original and all that was made from it; nothing there is fine. */
    removeUpload: async (uploadId: string): Promise<void> => {
      const found = blobs.listBlobsFlat({ prefix: blobNames.folder(uploadId), ...soon() })
      for await (const { name } of found)
        await blobs.getBlobClient(name).deleteIfExists({ deleteSnapshots: 'include', ...soon() })
    },
  }
}
export type BlobStore = ReturnType<typeof createBlobStore>
