import { blobNames } from '@confetti/contracts'
import {
  BlobSASPermissions,
  BlobServiceClient,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
  type ContainerListBlobFlatSegmentResponse,
} from '@azure/storage-blob'
import { create as contentDisposition } from 'content-disposition'
import type { BytesInFlight } from '../domain/bytes-in-flight.ts'
import { createSegmentPool } from './segment-pool.ts'
import { stageBlob, timeLimit, type StagedBlob, type TimeLimit } from './staged-blob.ts'

// Links live 10 to 15 minutes; those given out within the same 5 minutes are equal, so that browsers can keep
// the thumbnails they have.
const LINK_STEP_MS = 5 * 60_000
const LINK_LIFE_MS = 10 * 60_000
// Our clock may be ahead of the blob service's, by as much as that itself bears in signed calls.
const CLOCK_SKEW_MS = 15 * 60_000

export interface ReadLinks {
  url: string
  thumbnailUrl: string
  previewUrl: string
}

export const createBlobStore = ({
  connectionString,
  containerName,
  publicUrl,
  timeLimitMs,
  room,
}: {
  connectionString: string
  containerName: string
  publicUrl: string | undefined
  /** For one call to blob storage, its repetitions included. */
  timeLimitMs: number
  room: BytesInFlight
}) => {
  const service = BlobServiceClient.fromConnectionString(connectionString, {
    retryOptions: { maxTries: 3, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
  })
  const credential = service.credential
  if (!(credential instanceof StorageSharedKeyCredential))
    throw new Error('BLOB_CONNECTION_STRING: needs an account key, to sign read links with')
  const container = service.getContainerClient(containerName)
  const newLimit = (): TimeLimit => timeLimit(timeLimitMs)
  const segments = createSegmentPool(room.ceiling / 4)
  const readableAt = new URL(publicUrl ?? service.url)

  const linkTo = (blobName: string, now: Date, disposition?: string): string => {
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
    return `${readableAt.href.replace(/\/$/, '')}/${containerName}/${blobName}?${signature.toString()}`
  }

  /** What lies under names that begin with `prefix`, committed or not, page by page. */
  const namesUnder = async function* (prefix: string): AsyncGenerator<string> {
    let continuationToken: string | undefined
    do {
      const pages = container.listBlobsFlat({ prefix, includeUncommitedBlobs: true, ...newLimit() })
      const page = pages.byPage({ ...(continuationToken && { continuationToken }) })
      const { value } = (await page.next()) as IteratorYieldResult<ContainerListBlobFlatSegmentResponse>
      for (const { name } of value.segment.blobItems) yield name
      continuationToken = value.continuationToken
    } while (continuationToken)
  }

  return {
    /**
     * Makes the container, and lets the shell's pages read from it. Throws if its blobs have their records in
     * another database: to the sweep they would be leftovers.
     */
    prepare: async (origins: readonly string[], owner: string): Promise<void> => {
      await container.createIfNotExists({ metadata: { owner } })
      const { metadata } = await container.getProperties()
      if (!metadata?.owner) await container.setMetadata({ ...metadata, owner })
      else if (metadata.owner !== owner)
        throw new Error(`BLOB_CONTAINER: ${containerName} belongs to another database. Name one of its own.`)
      await service.setProperties({
        cors: [
          {
            allowedOrigins: origins.join(','),
            allowedMethods: 'GET,HEAD,OPTIONS',
            allowedHeaders: '*',
            exposedHeaders: '*',
            maxAgeInSeconds: 7_200,
          },
        ],
      })
    },

    check: () => container.getProperties({ abortSignal: AbortSignal.timeout(2_000) }),

    /** For the commits of one form: whoever sent it waits for all of them. */
    newLimit,

    stage: (uploadId: string): StagedBlob =>
      stageBlob(container.getBlockBlobClient(blobNames.original(uploadId)), { room, segments, newLimit }),

    /** Removes an original that lost to an equal one. */
    remove: async (uploadId: string): Promise<void> => {
      await container.getBlobClient(blobNames.original(uploadId)).deleteIfExists(newLimit())
    },

    /** Addresses at which a browser can read an upload for some minutes; the original comes as a download. */
    readLinks: ({ _id, filename }: { _id: string; filename: string }, now: Date): ReadLinks => ({
      url: linkTo(blobNames.original(_id), now, contentDisposition(filename.split('/').at(-1) ?? _id)),
      thumbnailUrl: linkTo(blobNames.thumbnail(_id), now),
      previewUrl: linkTo(blobNames.preview(_id), now),
    }),

    /** The ids of uploads that have bytes, committed or not, under names that begin with `prefix`. */
    idsWithBytes: async function* (prefix: string): AsyncGenerator<string> {
      let last = ''
      for await (const name of namesUnder(prefix)) {
        const id = name.split('/')[0] ?? ''
        if (id !== last) yield id
        last = id
      }
    },

    /** Removes all that is stored of an upload, uncommitted blocks too. */
    removeAll: async (uploadId: string): Promise<void> => {
      for await (const name of namesUnder(blobNames.folder(uploadId))) {
        const blob = container.getBlockBlobClient(name)
        await blob.upload('', 0, newLimit())
        await blob.deleteIfExists(newLimit())
      }
    },
  }
}
export type BlobStore = ReturnType<typeof createBlobStore>
