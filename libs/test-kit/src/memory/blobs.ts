import { readFile } from 'node:fs/promises'
import { RestError, type BlobHTTPHeaders, type BlobServiceClient, type CorsRule } from '@azure/storage-blob'
import { ACCOUNT_URL, createBlobLinks, type LinkRequest, type LinkResponse } from './blob-links.ts'
import type { Turn } from './database.ts'
import { createStoredBlobs, sizeOf, storageError, type Blob, type Conditions } from './stored-blobs.ts'

// An Azure Blob Storage in memory, as far as the services use it, below its client library: their stores run on it as
// they are. Time limits of calls have no effect: a turn that never ends is a call without an answer.

interface Options {
  conditions?: Conditions
}

interface WriteOptions extends Options {
  blobHTTPHeaders?: BlobHTTPHeaders
}

interface DeleteOptions extends Options {
  deleteSnapshots?: 'include'
}

interface LeasedOptions {
  conditions?: { leaseId?: string }
}

interface ListOptions {
  prefix?: string
  includeUncommitedBlobs?: boolean
}

interface PageOptions {
  continuationToken?: string
  maxPageSize?: number
}

const MAX_PAGE_SIZE = 5_000

/** A copy of what a call sends: its caller may use the memory again. */
const sent = (body: Buffer | string): Buffer => Buffer.from(body as Buffer)

const hasCode = (error: unknown, code: string): boolean => error instanceof RestError && error.code === code

/** The answer to a `HEAD` request has no body, from which the client reads the code. */
const withoutCode = (error: unknown): never => {
  if (error instanceof RestError) delete error.code
  throw error
}

/** Runs the effect in its turn, and returns its result or error in another turn. */
const take = async <T>(turn: Turn, label: string, effect: () => T): Promise<T> => {
  await turn(label)
  let result: () => T
  try {
    const value = effect()
    result = () => value
  } catch (error) {
    result = () => {
      throw error
    }
  }
  await turn(`${label} answered`)
  return result()
}

/** A storage account, which outlives its clients. A `beginCopyFromURL` takes `copyMs` by the clock. */
export const createMemoryBlobStorage = ({ now, copyMs = 0 }: { now: () => Date; copyMs?: number }) => {
  const stored = createStoredBlobs(now)
  const { blobAt, containerAt, containers, isLeased } = stored
  const { answer, readSource, sign } = createBlobLinks(stored, now, copyMs)
  let cors: CorsRule[] = []
  let leases = 0

  const leaseIdOf = ({ lease }: ReturnType<typeof containerAt>): string | undefined =>
    lease && lease.until > now().getTime() ? lease.id : undefined

  const propertiesOf = (blob: Blob) => {
    const { etag, lastModified, headers, copy } = blob
    return {
      etag,
      lastModified,
      contentLength: sizeOf(blob),
      contentType: headers.blobContentType,
      contentEncoding: headers.blobContentEncoding,
      contentLanguage: headers.blobContentLanguage,
      contentDisposition: headers.blobContentDisposition,
      cacheControl: headers.blobCacheControl,
      contentMD5: headers.blobContentMD5,
      leaseStatus: isLeased(blob) ? 'locked' : 'unlocked',
      copyId: copy?.id,
      copyStatus: copy?.status,
    }
  }

  const createBlobClient = (containerName: string, name: string, turn: Turn) => {
    const blob = blobAt(containerName, name)
    const call = <T>(label: string, effect: () => T): Promise<T> =>
      take(turn, `blob ${label} ${name}`, effect)
    const put = (bytes: Buffer, { blobHTTPHeaders, conditions }: WriteOptions = {}) =>
      propertiesOf(blob.put(bytes, blobHTTPHeaders, conditions))

    const remove = ({ deleteSnapshots, conditions }: DeleteOptions = {}): Promise<void> =>
      call('delete', () => blob.remove(deleteSnapshots === 'include', conditions))

    return {
      name,
      url: `${ACCOUNT_URL}/${containerName}/${encodeURIComponent(name).replaceAll('%2F', '/')}`,

      upload: (body: Buffer | string, _: number, options?: WriteOptions) =>
        call('upload', () => put(sent(body), options)),

      uploadFile: async (path: string, options?: WriteOptions) => {
        const bytes = await readFile(path)
        return call('upload', () => put(bytes, options))
      },

      stageBlock: (id: string, body: Buffer | string) => call('stageBlock', () => blob.stage(id, sent(body))),

      commitBlockList: (ids: string[], { blobHTTPHeaders, conditions }: WriteOptions = {}) =>
        call('commitBlockList', () => propertiesOf(blob.commit(ids, blobHTTPHeaders, conditions))),

      getBlockList: () => call('getBlockList', blob.listBlocks),

      download: async (offset = 0, count?: number, { conditions }: Options = {}) => {
        const { chunks, length, range, ...found } = await call('download', () =>
          blob.readRange(offset, count, conditions),
        )
        const properties = propertiesOf(found)
        return {
          ...properties,
          contentLength: length,
          contentRange: range,
          contentMD5: range ? undefined : properties.contentMD5,
          blobContentMD5: properties.contentMD5,
          readableStreamBody: (async function* () {
            for (const [index, chunk] of chunks.entries()) {
              if (index > 0) await turn(`blob download ${name} ${index}`)
              yield chunk
            }
          })(),
        }
      },

      downloadToBuffer: async (target?: Buffer, offset = 0, count?: number) => {
        const { chunks } = await call('download', () => blob.readRange(offset, count))
        const bytes = Buffer.concat(chunks)
        if (bytes.length < (count ?? 0)) throw new Error('Stream drains before getting enough data needed.')
        if (!target) return bytes
        bytes.copy(target)
        return target
      },

      getProperties: () => call('getProperties', () => propertiesOf(blob.read())).catch(withoutCode),

      setHTTPHeaders: (headers: BlobHTTPHeaders = {}, { conditions }: Options = {}) =>
        call('setHTTPHeaders', () => propertiesOf(blob.change({ headers }, conditions))),

      createSnapshot: () => call('createSnapshot', blob.snapshot),

      delete: remove,

      deleteIfExists: (options?: DeleteOptions) =>
        remove(options).then(
          () => ({ succeeded: true }),
          (error: unknown) => {
            if (hasCode(error, 'BlobNotFound')) return { succeeded: false }
            throw error
          },
        ),

      syncCopyFromURL: (url: string, { conditions }: Options = {}) =>
        call('copy', () => {
          const source = readSource(url)
          if (!source) throw storageError(404, 'CannotVerifyCopySource')
          blob.copy(source, 0, conditions)
          return propertiesOf(blob.read())
        }),

      beginCopyFromURL: (url: string, { conditions }: Options = {}) =>
        call('copy', () => blob.copy(readSource(url), copyMs, conditions)),

      abortCopyFromURL: (copyId: string) => call('abortCopy', () => blob.abortCopy(copyId)),

      getBlobLeaseClient: () => ({
        acquireLease: (seconds: number) => call('acquireLease', () => blob.lease(seconds)),
        breakLease: (seconds: number) => call('breakLease', () => blob.breakLease(seconds)),
      }),
    }
  }

  const createContainerClient = (containerName: string, turn: Turn) => {
    const call = <T>(label: string, effect: () => T): Promise<T> =>
      take(turn, `container ${label} ${containerName}`, effect)
    const blobClient = (name: string) => createBlobClient(containerName, name, turn)

    const listPage = (
      { prefix = '', includeUncommitedBlobs = false }: ListOptions,
      { continuationToken = '', maxPageSize = MAX_PAGE_SIZE }: PageOptions,
    ) => {
      const { blobs, staged } = containerAt(containerName)
      const names = new Set([...blobs.keys(), ...(includeUncommitedBlobs ? staged.keys() : [])])
      const rest = [...names].filter((name) => name.startsWith(prefix) && name > continuationToken).toSorted()
      const page = rest.slice(0, maxPageSize)
      return {
        segment: { blobItems: page.map((name) => ({ name })) },
        continuationToken: rest.length > page.length ? page.at(-1) : '',
      }
    }

    return {
      containerName,
      url: `${ACCOUNT_URL}/${containerName}`,
      getBlobClient: blobClient,
      getBlockBlobClient: blobClient,

      createIfNotExists: ({ metadata = {} }: { metadata?: Record<string, string> } = {}) =>
        call('create', () => {
          const succeeded = !containers.has(containerName)
          if (succeeded) containers.set(containerName, { metadata, blobs: new Map(), staged: new Map() })
          return { succeeded }
        }),

      getProperties: () => call('getProperties', () => ({ metadata: containerAt(containerName).metadata })),

      setMetadata: (metadata: Record<string, string>, { conditions: { leaseId } = {} }: LeasedOptions = {}) =>
        call('setMetadata', () => {
          const container = containerAt(containerName)
          if (leaseId && leaseIdOf(container) !== leaseId)
            throw storageError(412, 'LeaseNotPresentWithContainerOperation')
          container.metadata = metadata
        }),

      getBlobLeaseClient: () => {
        leases += 1
        const leaseId = `lease-${leases}`
        return {
          leaseId,
          acquireLease: (seconds: number) =>
            call('acquireLease', () => {
              const container = containerAt(containerName)
              if (leaseIdOf(container)) throw storageError(409, 'LeaseAlreadyPresent')
              container.lease = { id: leaseId, until: now().getTime() + seconds * 1_000 }
            }),
          releaseLease: () =>
            call('releaseLease', () => {
              const container = containerAt(containerName)
              if (container.lease?.id !== leaseId)
                throw storageError(409, 'LeaseIdMismatchWithLeaseOperation')
              delete container.lease
            }),
        }
      },

      listBlobsFlat: (options: ListOptions = {}) => {
        const byPage = async function* (settings: PageOptions = {}) {
          let continuationToken = settings.continuationToken
          do {
            const from = { ...settings, ...(continuationToken && { continuationToken }) }
            const page = await call('list', () => listPage(options, from))
            yield page
            continuationToken = page.continuationToken
          } while (continuationToken)
        }
        const blobs = async function* () {
          for await (const { segment } of byPage()) yield* segment.blobItems
        }
        return Object.assign(blobs(), { byPage })
      },
    }
  }

  return {
    /** Connects a service. Each operation waits for a turn before its effect, and before its answer. */
    connect: (turn: Turn = () => Promise.resolve()): BlobServiceClient => {
      const client = {
        url: `${ACCOUNT_URL}/`,
        getContainerClient: (name: string) => createContainerClient(name, turn),
        getProperties: () => take(turn, 'blob service getProperties', () => ({ cors })),
        setProperties: ({ cors: rules = [] }: { cors?: CorsRule[] }) =>
          take(turn, 'blob service setProperties', () => void (cors = rules)),
      }
      return client as unknown as BlobServiceClient
    },

    /** Signs links that only this storage reads. */
    linkSigner: { sign, renewKey: () => Promise.resolve() },

    /** Sends a request by a link. */
    send: (url: string, request: LinkRequest, turn: Turn = () => Promise.resolve()): Promise<LinkResponse> =>
      take(turn, `link ${request.method} ${new URL(url).pathname}`, () => answer(url, request)),

    endCopies: stored.endCopies,
  }
}
export type MemoryBlobStorage = ReturnType<typeof createMemoryBlobStorage>
