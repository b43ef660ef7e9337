import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { RestError, type BlockBlobClient } from '@azure/storage-blob'
import { blobNames, MB } from '@confetti/contracts'
import { AppError, unavailable, type Clock } from '@confetti/service-kit'
import { LRUCache } from 'lru-cache'
import { HEAD_BYTES } from '../sending/media-type.ts'
import { BLOCK_BYTES, blocksOf } from '../sending/tickets.ts'
import type { BlockDescriptor, DirectBlobs } from '../upload-blobs.ts'
import type { BlobAccount } from './blob-account.ts'
import type { Deadline } from './link-signer.ts'

const COPY_POLL_MS = 250
const INTERNAL_LINK_LIFE_MS = 3_600_000
// Two completions of files without a hash, each of which asks for ten at once.
const MAX_QUEUED_HASHES = 20
const MAX_REMEMBERED_HASHES = 10_000

export const hasStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof RestError && statuses.includes(error.statusCode ?? 0)

const notStored = (cause?: unknown): AppError =>
  unavailable('The upload could not be stored right now. Please try again in a moment.', 2, cause)

/** Runs calls to blob storage. Throws `unavailable` if they fail. */
const callStorage = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw notStored(error)
  }
}

/** Like `callStorage`, with `undefined` if the blob does not exist. */
const callStorageForBlob = <T>(work: () => Promise<T>): Promise<T | undefined> =>
  callStorage(() =>
    work().catch((error: unknown) => {
      if (hasStatus(error, 404)) return undefined
      throw error
    }),
  )

const equals = (received: readonly BlockDescriptor[], expected: readonly BlockDescriptor[]): boolean => {
  const sizes = new Map(received.map(({ id, size }) => [id, size]))
  return expected.every(({ id, size }) => sizes.get(id) === size)
}

/** The first bytes of an original, and what blob storage says about it. */
interface Head {
  head: Buffer
  size: number
  contentMd5: string | undefined
  etag: string
  /** Whether it has headers that a guest's request chose. A browser would act on them when the original is read. */
  hasHeadersOfSender: boolean
}

/** The size of the blob of which a response has a range. */
const sizeOfRange = (contentRange: string | undefined): number | undefined => {
  const [, size] = /\/(\d+)$/.exec(contentRange ?? '') ?? []
  return size === undefined ? undefined : Number(size)
}

const SENDERS_HEADERS = ['content-encoding', 'content-language', 'content-disposition', 'cache-control']

/** The most that Copy Blob From URL accepts. Copy Blob, for larger ones, answers before it has copied. */
const MAX_SYNC_COPY_BYTES = 256 * MB

export const createDirectBlobs = (
  { container, newCallDeadline, signLink, signInternalLink, readByLink }: BlobAccount,
  clock: Clock,
  maxSyncCopyBytes = MAX_SYNC_COPY_BYTES,
): DirectBlobs => {
  const originalOf = (uploadId: string) => container.getBlockBlobClient(blobNames.original(uploadId))
  const stagedOf = (uploadId: string) => container.getBlockBlobClient(blobNames.staging(uploadId))
  // Reading whole files is work that any guest can cause by a small call: it is done for one file at a time, few wait for
  // their turn, and a completion that is repeated does not read its file again.
  let previousHash: Promise<unknown> = Promise.resolve()
  let queuedHashes = 0
  const hashes = new LRUCache<string, Promise<string>>({ max: MAX_REMEMBERED_HASHES })

  /** Commits the staged blocks, unless that has been done. False if a block is missing, undefined if all were removed. */
  const commitBlocks = async (
    staged: BlockBlobClient,
    blocks: readonly BlockDescriptor[],
  ): Promise<boolean | undefined> => {
    const list = await staged.getBlockList('all', newCallDeadline())
    const uncommitted = (list.uncommittedBlocks ?? []).map(({ name, size }) => ({ id: name, size }))
    const committed = (list.committedBlocks ?? []).map(({ name, size }) => ({ id: name, size }))
    if (equals(uncommitted, blocks)) {
      const ids = blocks.map(({ id }) => id)
      try {
        await staged.commitBlockList(ids, newCallDeadline())
      } catch (error) {
        // Another completion of the same ticket has copied and removed them meanwhile.
        if (error instanceof RestError && error.code === 'InvalidBlockList') return undefined
        throw error
      }
      return true
    }
    return equals(committed, blocks)
  }

  const waitForCopy = async (original: BlockBlobClient): Promise<void> => {
    const { abortSignal } = newCallDeadline()
    for (;;) {
      const { copyStatus, etag = '' } = await original.getProperties({ abortSignal })
      if (copyStatus === undefined || copyStatus === 'success') return
      if (copyStatus !== 'pending') {
        await original.delete({ conditions: { ifMatch: etag }, abortSignal })
        throw new Error(`Blob storage did not copy the blocks: ${copyStatus}`)
      }
      await sleep(COPY_POLL_MS, undefined, { signal: abortSignal })
    }
  }

  const signReadLink = (blobName: string): string => {
    const now = clock()
    return signInternalLink(blobName, {
      permissions: 'r',
      startsAt: now,
      expiresAt: new Date(now.getTime() + INTERNAL_LINK_LIFE_MS),
    })
  }

  /** Undefined if that fails: the client of Azure knows each error, and which calls to repeat. */
  const readHeadByLink = async (uploadId: string, { abortSignal }: Deadline): Promise<Head | undefined> => {
    try {
      const link = signReadLink(blobNames.original(uploadId))
      const answer = await readByLink?.(link, `bytes=0-${HEAD_BYTES - 1}`, abortSignal)
      const size = sizeOfRange(answer?.headers['content-range'])
      if (!answer || size === undefined) return undefined
      const { headers, body } = answer
      return {
        head: body,
        size,
        contentMd5: headers['x-ms-blob-content-md5']?.toString(),
        etag: headers.etag ?? '',
        hasHeadersOfSender: SENDERS_HEADERS.some((name) => headers[name]),
      }
    } catch {
      return undefined
    }
  }

  const readHead = async (uploadId: string, deadline: Deadline): Promise<Head> => {
    const blob = originalOf(uploadId)
    const response = await blob.download(0, HEAD_BYTES, deadline).catch((error: unknown) => {
      // Of an empty blob there are no such bytes.
      if (hasStatus(error, 416)) return undefined
      throw error
    })
    if (!response) {
      const { etag = '' } = await blob.getProperties(deadline)
      return { size: 0, head: Buffer.alloc(0), contentMd5: undefined, etag, hasHeadersOfSender: false }
    }
    const chunks: Buffer[] = []
    for await (const chunk of response.readableStreamBody ?? []) chunks.push(Buffer.from(chunk))
    const {
      contentEncoding,
      contentLanguage,
      contentDisposition,
      cacheControl,
      blobContentMD5: md5,
    } = response
    return {
      size: sizeOfRange(response.contentRange) ?? Number(response.contentLength),
      head: Buffer.concat(chunks),
      contentMd5: md5 && Buffer.from(md5).toString('base64'),
      etag: response.etag ?? '',
      hasHeadersOfSender: [contentEncoding, contentLanguage, contentDisposition, cacheControl].some(Boolean),
    }
  }

  const computeHash = (uploadId: string, etag: string): Promise<string> =>
    callStorage(async () => {
      const options = { conditions: { ifMatch: etag }, ...newCallDeadline() }
      const { readableStreamBody = [] } = await originalOf(uploadId).download(0, undefined, options)
      const hash = createHash('sha256')
      for await (const chunk of readableStreamBody) hash.update(chunk)
      return hash.digest('hex')
    })

  const computeHashInTurn = async (uploadId: string, etag: string): Promise<string> => {
    if (queuedHashes >= MAX_QUEUED_HASHES) throw notStored()
    queuedHashes += 1
    const hashed = previousHash.then(() => computeHash(uploadId, etag))
    previousHash = hashed.catch(() => undefined)
    return hashed.finally(() => {
      queuedHashes -= 1
    })
  }

  /** Copies the committed blocks to the original, which is never replaced. */
  const copyToOriginal = async (uploadId: string, size: number): Promise<void> => {
    const source = signReadLink(blobNames.staging(uploadId))
    const original = originalOf(uploadId)
    const options = { conditions: { ifNoneMatch: '*' }, ...newCallDeadline() }
    try {
      if (size <= maxSyncCopyBytes) await original.syncCopyFromURL(source, options)
      else await original.beginCopyFromURL(source, options)
    } catch (error) {
      // Another completion has copied the blocks; where that has ended, it has removed them, too.
      if (!hasStatus(error, 404, 409, 412)) throw error
    }
    if (size > maxSyncCopyBytes) await waitForCopy(original)
  }

  return {
    createTransfer: (ticket, expiresAt) => {
      const blocks = blocksOf(ticket)
      const times = { startsAt: ticket.issuedAt, expiresAt }
      if (!blocks)
        return {
          kind: 'single',
          url: signLink(blobNames.original(ticket.uploadId), { permissions: 'c', ...times }),
          headers: { 'x-ms-blob-type': 'BlockBlob', 'content-type': 'application/octet-stream' },
        }
      return {
        kind: 'blocks',
        url: signLink(blobNames.staging(ticket.uploadId), { permissions: 'w', ...times }),
        headers: { 'content-type': 'application/octet-stream' },
        blockBytes: BLOCK_BYTES,
        blockIds: blocks.map(({ id }) => id),
      }
    },

    listReceived: async (uploadId) => {
      const list = await callStorageForBlob(() => stagedOf(uploadId).getBlockList('all', newCallDeadline()))
      const received = [...(list?.committedBlocks ?? []), ...(list?.uncommittedBlocks ?? [])]
      return received.map(({ name, size }) => ({ id: name, size }))
    },

    assemble: async (uploadId, blocks) => {
      const size = blocks.reduce((sum, block) => sum + block.size, 0)
      const isCommitted = await callStorageForBlob(() => commitBlocks(stagedOf(uploadId), blocks))
      // The staged blob is removed after the copy.
      if (isCommitted === undefined) return true
      if (isCommitted) await callStorage(() => copyToOriginal(uploadId, size))
      return isCommitted
    },

    readOriginal: (uploadId) =>
      callStorageForBlob(async () => {
        const deadline = newCallDeadline()
        const { hasHeadersOfSender, ...original } =
          (await readHeadByLink(uploadId, deadline)) ?? (await readHead(uploadId, deadline))
        if (!hasHeadersOfSender) return original
        const { etag = '' } = await originalOf(uploadId).setHTTPHeaders({}, newCallDeadline())
        return { ...original, etag }
      }),

    hashOriginal: (uploadId, etag) => {
      const version = `${uploadId}/${etag}`
      const known = hashes.get(version)
      if (known) return known
      const hashed = computeHashInTurn(uploadId, etag)
      hashes.set(version, hashed)
      hashed.catch(() => hashes.delete(version))
      return hashed
    },

    removeOriginalVersion: async (uploadId, etag) => {
      await callStorageForBlob(() =>
        originalOf(uploadId)
          .delete({ conditions: { ifMatch: etag }, deleteSnapshots: 'include', ...newCallDeadline() })
          .catch((error: unknown) => {
            if (!hasStatus(error, 412)) throw error
          }),
      )
    },

    removeCommittedBlocks: async (uploadId) => {
      await callStorage(() =>
        stagedOf(uploadId).deleteIfExists({ deleteSnapshots: 'include', ...newCallDeadline() }),
      )
    },
  }
}
