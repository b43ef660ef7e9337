import type { ContainerListBlobFlatSegmentResponse } from '@azure/storage-blob'
import { blobNames, type MediaType } from '@confetti/contracts'
import type { Logger } from '@confetti/service-kit'
import { create as contentDisposition } from 'content-disposition'
import type { PreviewLinks, ReadLinks } from '../read-links.ts'
import type { StoredUpload } from '../upload.ts'
import type { BlobAccount } from './blob-account.ts'
import { createBlobRemoval } from './blob-removal.ts'
import { allowBrowsers } from './cors-rule.ts'
import type { LinkOptions } from './link-signer.ts'
import { writeOriginal } from './write-original.ts'

// Links live 10 to 15 minutes. Those signed within the same 5 minutes are equal, so that browsers can cache thumbnails.
const LINK_STEP_MS = 5 * 60_000
const LINK_LIFE_MS = 10 * 60_000

// The metadata of the container that holds the origins of its CORS rule: rules have no names.
const READERS = 'readers'

export const createBlobStore = ({
  account: { service, container, newCallDeadline, signLink },
  logger,
}: {
  account: BlobAccount
  logger: Logger
}) => {
  const { remove, removeCommitted } = createBlobRemoval(container, newCallDeadline)
  const check = () => container.getProperties({ abortSignal: AbortSignal.timeout(2_000) })

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

  const createPreviewLinks = (
    { _id, hasRendition }: Pick<StoredUpload, '_id' | 'hasRendition'>,
    now: Date,
  ): PreviewLinks => ({
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
    /**
     * Creates the container and lets pages of `origins` read from it and write by links. Throws if the container belongs to another
     * database: the sweep would remove all of its blobs as orphans.
     */
    prepare: async (origins: readonly string[], owner: string): Promise<void> => {
      await container.createIfNotExists({ metadata: { owner } })
      const { metadata = {} } = await container.getProperties()
      if (metadata.owner && metadata.owner !== owner)
        throw new Error(
          `BLOB_CONTAINER: ${container.containerName} belongs to another database. Each database needs a container of its own.`,
        )
      const readers = origins.join(',')
      const isAllowed = await allowBrowsers(service, {
        origins: readers,
        previousOrigins: metadata[READERS],
        logger,
      })
      if (!metadata.owner || (isAllowed && metadata[READERS] !== readers))
        await container.setMetadata({ ...metadata, owner, ...(isAllowed && { [READERS]: readers }) })
    },

    /** For `/readyz`. */
    check,

    /** Stores the original of an upload that is sent in a form, from `buffer`. Throws `unavailable` if that fails. */
    writeOriginal: (
      uploadId: string,
      chunks: AsyncIterable<Buffer>,
      options: { contentType: MediaType; buffer: Buffer },
    ): Promise<void> =>
      writeOriginal(container.getBlockBlobClient(blobNames.original(uploadId)), chunks, {
        ...options,
        newCallDeadline,
      }),

    /** Signed links that are valid for some minutes. The original's link makes the browser download it. */
    createReadLinks: (
      upload: Pick<StoredUpload, '_id' | 'filename' | 'contentType' | 'hasRendition'>,
      now: Date,
    ): ReadLinks => ({
      url: signReadLink(blobNames.original(upload._id), now, {
        contentDisposition: contentDisposition(upload.filename.split('/').at(-1) ?? upload._id),
        // The guest who sent the file straight to blob storage chose the type that is stored with it.
        contentType: upload.contentType,
      }),
      ...createPreviewLinks(upload, now),
    }),

    /** Signed links for guests, which are valid as long. */
    createPreviewLinks,

    /** The ids of uploads that start with `prefix` and have blobs, committed or not. */
    idsWithBlobs: async function* (prefix: string): AsyncGenerator<string> {
      let previous = ''
      for await (const name of listNames(prefix)) {
        const id = name.split('/')[0] ?? ''
        if (id !== previous) yield id
        previous = id
      }
    },

    /** The ids of uploads that start with `prefix` and have staged blocks of a direct upload. */
    idsWithStaged: async function* (prefix: string): AsyncGenerator<string> {
      for await (const name of listNames(blobNames.staging(prefix))) yield name.split('/')[1] ?? ''
    },

    /** Removes the original and the derivatives of an upload; false if one is left. */
    removeCommitted: (uploadId: string): Promise<boolean> =>
      isRemoved(uploadId, () =>
        Promise.all(
          [blobNames.original, blobNames.thumbnail, blobNames.preview, blobNames.rendition].map((nameOf) =>
            removeCommitted(nameOf(uploadId)),
          ),
        ),
      ),

    /** Removes all blobs of an upload but staged ones, including uncommitted blocks; false if one is left. */
    removeAll: (uploadId: string): Promise<boolean> =>
      isRemoved(uploadId, async () => {
        for await (const name of listNames(blobNames.folder(uploadId))) await remove(name)
      }),

    /** Removes the staged blocks of a direct upload, including uncommitted ones; false if they are left. */
    removeStaged: (uploadId: string): Promise<boolean> =>
      isRemoved(uploadId, () => remove(blobNames.staging(uploadId))),
  }
}
