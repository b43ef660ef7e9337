import { crc32 } from 'node:zlib'
import type { ContainerListBlobFlatSegmentResponse } from '@azure/storage-blob'
import { createBlobRemoval } from '@confetti/blob-storage'
import { blobNames } from '@confetti/contracts'
import { AppError, unavailable, type Logger } from '@confetti/service-kit'
import { create as contentDisposition } from 'content-disposition'
import { PIECE_BYTES } from '../archives/download.ts'
import type { ArchivedFile } from '../archives/entries.ts'
import { LINK_STEP_MS, type ArchiveBlobs, type DirectBlobs, type UploadBlobs } from '../upload-blobs.ts'
import { saveableFile } from '../file-names.ts'
import type { LinkOptions } from './link-signer.ts'
import type { BlobAccount } from './blob-account.ts'
import { changeContainerMetadata } from './container-metadata.ts'
import { hasStatus } from './direct-blobs.ts'
import { writeOriginal } from './write-original.ts'

const filesUnreadable = (cause: unknown): AppError =>
  unavailable('The files could not be read right now. Please try again in a moment.', 2, cause)

/** Reads originals for archives. */
const createArchiveBlobs = ({ container, newCallDeadline }: BlobAccount): ArchiveBlobs => {
  const readRange: ArchiveBlobs['readRange'] = async (
    uploadId,
    { start, end },
    signal,
    file = 'original',
  ) => {
    const buffer = Buffer.allocUnsafeSlow(end - start)
    const abortSignal = AbortSignal.any([signal, newCallDeadline().abortSignal])
    try {
      return await container
        .getBlobClient(blobNames[file](uploadId))
        .downloadToBuffer(buffer, start, end - start, { abortSignal, blockSize: end - start })
    } catch (error) {
      const cause = new Error(`failed to read the ${file} of upload ${uploadId}`, { cause: error })
      throw filesUnreadable(cause)
    }
  }

  /** In pieces, each within the time limit of a call. */
  const computeCrc32 = async (uploadId: string, size: number, file?: ArchivedFile): Promise<number> => {
    const { signal } = new AbortController()
    let checksum = 0
    for (let start = 0; start < size; start += PIECE_BYTES) {
      const end = Math.min(start + PIECE_BYTES, size)
      checksum = crc32(await readRange(uploadId, { start, end }, signal, file), checksum)
    }
    return checksum
  }

  return {
    readRange,

    computeCrc32,

    measureRendition: async (uploadId) => {
      const blob = container.getBlobClient(blobNames.rendition(uploadId))
      try {
        const { contentLength: size = 0 } = await blob.getProperties(newCallDeadline())
        return { size, crc32: await computeCrc32(uploadId, size, 'rendition') }
      } catch (error) {
        if (hasStatus(error, 404)) return undefined
        throw error instanceof AppError ? error : filesUnreadable(error)
      }
    },
  }
}

// After their step.
const LINK_LIFE_MS = 10 * 60_000

// In the metadata of the container.
const HIGH_WATER_MARK = 'highwatermark'

export const createBlobStore = (
  account: BlobAccount,
  logger: Logger,
): Omit<UploadBlobs, keyof DirectBlobs> => {
  const { container, check, newCallDeadline, signLink } = account
  const { removeBlob, removeBlobOrBlocks } = createBlobRemoval(container, newCallDeadline)

  /** False if blobs of this upload could not be removed: that stops no loop. Throws if blob storage is unavailable. */
  const isRemoved = async (uploadId: string, removal: () => Promise<unknown>): Promise<boolean> => {
    try {
      await removal()
      return true
    } catch (error) {
      await check()
      logger.warn({ err: error, uploadId }, 'failed to remove blobs of an upload; the next sweep tries again')
      return false
    }
  }

  const signReadLink = (
    blobName: string,
    now: Date,
    headers?: Pick<LinkOptions, 'contentDisposition' | 'contentType'>,
  ): string => {
    const step = Math.floor(now.getTime() / LINK_STEP_MS) * LINK_STEP_MS
    return signLink(blobName, {
      permissions: 'r',
      startsAt: new Date(step),
      expiresAt: new Date(step + LINK_STEP_MS + LINK_LIFE_MS),
      ...headers,
    })
  }

  const createPreviewLinks: UploadBlobs['createPreviewLinks'] = ({ _id, hasRendition }, now) => ({
    thumbnailUrl: signReadLink(blobNames.thumbnail(_id), now),
    previewUrl: signReadLink(blobNames.preview(_id), now),
    ...(hasRendition && { videoUrl: signReadLink(blobNames.rendition(_id), now) }),
  })

  /** The names of blobs that start with `prefix`, including uncommitted ones, fetched page by page. */
  const listNames = async function* (prefix: string): AsyncGenerator<string> {
    let continuationToken: string | undefined
    do {
      const pages = container.listBlobsFlat({ prefix, includeUncommitedBlobs: true, ...newCallDeadline() })
      const page = pages.byPage({ ...(continuationToken && { continuationToken }) })
      const { value } = (await page.next()) as IteratorYieldResult<ContainerListBlobFlatSegmentResponse>
      for (const { name } of value.segment.blobItems) yield name
      continuationToken = value.continuationToken
    } while (continuationToken)
  }

  return {
    ...createArchiveBlobs(account),

    writeOriginal: (uploadId, chunks, options) =>
      writeOriginal(container.getBlockBlobClient(blobNames.original(uploadId)), chunks, {
        ...options,
        newCallDeadline,
      }),

    createReadLinks: (upload, now) => ({
      url: signReadLink(blobNames.original(upload._id), now, {
        contentDisposition: contentDisposition(upload.filename.split('/').at(-1) ?? upload._id),
        // The guest who sent the file straight to blob storage chose the type that is stored with it.
        contentType: upload.contentType,
      }),
      ...createPreviewLinks(upload, now),
    }),

    createPreviewLinks,

    readPreview: async (uploadId) => {
      try {
        const blob = container.getBlobClient(blobNames.preview(uploadId))
        return await blob.downloadToBuffer(0, undefined, newCallDeadline())
      } catch (error) {
        throw unavailable('The photo could not be read right now. Please try again in a moment.', 2, error)
      }
    },

    createSaveLink: (upload, now) => {
      const { name, blob, contentType } = saveableFile(upload)
      if (!blob) return {}
      const link = signReadLink(blobNames[blob](upload._id), now, {
        contentDisposition: contentDisposition(name),
        contentType,
      })
      return { saveUrl: link }
    },

    idsWithBlobs: async function* (prefix) {
      let previous = ''
      for await (const name of listNames(prefix)) {
        const id = name.split('/')[0] ?? ''
        if (id !== previous) yield id
        previous = id
      }
    },

    idsWithStaged: async function* (prefix) {
      for await (const name of listNames(blobNames.staging(prefix))) yield name.split('/')[1] ?? ''
    },

    readHighWaterMark: async () => {
      const { metadata = {} } = await container.getProperties(newCallDeadline())
      const text = metadata[HIGH_WATER_MARK]
      return text === undefined ? undefined : new Date(text)
    },

    replaceHighWaterMark: async (before, at) => {
      let isReplaced = false
      await changeContainerMetadata(container, newCallDeadline, (metadata) => {
        isReplaced = metadata[HIGH_WATER_MARK] === before?.toISOString()
        return isReplaced ? { ...metadata, [HIGH_WATER_MARK]: at.toISOString() } : undefined
      })
      return isReplaced
    },

    removeFiles: (uploadId, files) =>
      isRemoved(uploadId, () => Promise.all(files.map((file) => removeBlob(blobNames[file](uploadId))))),

    removeAll: (uploadId) =>
      isRemoved(uploadId, async () => {
        for await (const name of listNames(blobNames.folder(uploadId))) await removeBlobOrBlocks(name)
      }),

    removeStaged: (uploadId) => isRemoved(uploadId, () => removeBlobOrBlocks(blobNames.staging(uploadId))),
  }
}
