import {
  BlobSASPermissions,
  BlobServiceClient,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
  type ContainerListBlobFlatSegmentResponse,
} from '@azure/storage-blob'
import { blobNames } from '@confetti/contracts'
import { create as contentDisposition } from 'content-disposition'
import type { ReadLinks } from '../domain/list-event-uploads.ts'
import type { MemoryBudget } from '../ingest/memory-budget.ts'
import { createSegmentPool } from '../ingest/segment-pool.ts'
import { newDeadline, stageBlob, type StagedBlob } from '../ingest/staged-blob.ts'
import { allowReading } from './cors-rule.ts'

// Links live 10 to 15 minutes. Those signed within the same 5 minutes are equal, so that browsers can cache thumbnails.
const LINK_STEP_MS = 5 * 60_000
const LINK_LIFE_MS = 10 * 60_000
// Azure accepts signed requests from clocks that differ from its own by up to 15 minutes; so do our links.
const CLOCK_SKEW_MS = 15 * 60_000

// The metadata of the container that holds the origins of its CORS rule: rules have no names.
const READERS = 'readers'

export const createBlobStore = ({
  connectionString,
  containerName,
  publicUrl,
  callTimeoutMs,
  memoryBudget,
}: {
  connectionString: string
  containerName: string
  publicUrl: string | undefined
  /** For one call to blob storage, including its retries. */
  callTimeoutMs: number
  memoryBudget: MemoryBudget
}) => {
  const service = BlobServiceClient.fromConnectionString(connectionString, {
    retryOptions: { maxTries: 3, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
  })
  const credential = service.credential
  if (!(credential instanceof StorageSharedKeyCredential))
    throw new Error('BLOB_CONNECTION_STRING: needs an account key, which signs read links')
  const container = service.getContainerClient(containerName)
  const newCallDeadline = () => newDeadline(callTimeoutMs)
  const segments = createSegmentPool(memoryBudget.limitBytes / 4)
  const publicBaseUrl = new URL(publicUrl ?? service.url)

  const signReadLink = (blobName: string, now: Date, disposition?: string): string => {
    const step = Math.floor(now.getTime() / LINK_STEP_MS) * LINK_STEP_MS
    const signature = generateBlobSASQueryParameters(
      {
        containerName,
        blobName,
        permissions: BlobSASPermissions.parse('r'),
        startsOn: new Date(step - CLOCK_SKEW_MS),
        expiresOn: new Date(step + LINK_STEP_MS + LINK_LIFE_MS),
        ...(disposition && { contentDisposition: disposition }),
      },
      credential,
    )
    return `${publicBaseUrl.href.replace(/\/$/, '')}/${containerName}/${blobName}?${signature.toString()}`
  }

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
     * Creates the container and lets pages of `origins` read from it. Throws if the container belongs to another
     * database: the sweep would remove all of its blobs as orphans.
     */
    prepare: async (origins: readonly string[], owner: string): Promise<void> => {
      await container.createIfNotExists({ metadata: { owner } })
      const { metadata = {} } = await container.getProperties()
      if (metadata.owner && metadata.owner !== owner)
        throw new Error(
          `BLOB_CONTAINER: ${containerName} belongs to another database. Each database needs a container of its own.`,
        )
      const readers = origins.join(',')
      await allowReading(service, readers, metadata[READERS])
      if (!metadata.owner || metadata[READERS] !== readers)
        await container.setMetadata({ ...metadata, owner, [READERS]: readers })
    },

    /** For `/readyz`. */
    check: () => container.getProperties({ abortSignal: AbortSignal.timeout(2_000) }),

    stage: (uploadId: string): StagedBlob =>
      stageBlob(container.getBlockBlobClient(blobNames.original(uploadId)), {
        memoryBudget,
        segments,
        newCallDeadline,
      }),

    removeOriginal: async (uploadId: string): Promise<void> => {
      await container.getBlobClient(blobNames.original(uploadId)).deleteIfExists(newCallDeadline())
    },

    /** Signed links that are valid for some minutes. The original's link makes the browser download it. */
    createReadLinks: ({ _id, filename }: { _id: string; filename: string }, now: Date): ReadLinks => ({
      url: signReadLink(blobNames.original(_id), now, contentDisposition(filename.split('/').at(-1) ?? _id)),
      thumbnailUrl: signReadLink(blobNames.thumbnail(_id), now),
      previewUrl: signReadLink(blobNames.preview(_id), now),
    }),

    /** The ids of uploads that have blobs, committed or not, under names that start with `prefix`. */
    idsWithBlobs: async function* (prefix: string): AsyncGenerator<string> {
      let previous = ''
      for await (const name of listNames(prefix)) {
        const id = name.split('/')[0] ?? ''
        if (id !== previous) yield id
        previous = id
      }
    },

    /** Removes all blobs of an upload, including uncommitted blocks. */
    removeAll: async (uploadId: string): Promise<void> => {
      for await (const name of listNames(blobNames.folder(uploadId))) {
        const blob = container.getBlockBlobClient(name)
        await blob.upload('', 0, newCallDeadline())
        await blob.deleteIfExists(newCallDeadline())
      }
    },
  }
}
