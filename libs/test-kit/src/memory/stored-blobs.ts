import { createHash } from 'node:crypto'
import { RestError, type BlobHTTPHeaders } from '@azure/storage-blob'

// What a storage account does with its blobs. Each function is one step. `blobs-contract.ts` shows that they answer as
// Azurite does. Where Azurite differs from Azure's documentation, they follow the documentation, and a comment says so.
// https://learn.microsoft.com/rest/api/storageservices/operations-on-blobs

/** Bytes of a blob, which are not copied, and their name if they were sent as a block. */
interface Part {
  name?: string
  bytes: Buffer
}

interface Copy {
  id: string
  status: 'pending' | 'success' | 'failed' | 'aborted'
  endsAt: number
  /** What the blob has when the copy has ended; undefined if the source does not answer. */
  parts: Part[] | undefined
}

export interface Blob {
  parts: Part[]
  headers: BlobHTTPHeaders
  etag: string
  lastModified: Date
  snapshots: number
  /** In the past if the lease was broken or has expired. */
  leasedUntil?: number
  copy?: Copy
}

interface Container {
  metadata: Record<string, string>
  lease?: { id: string; until: number }
  blobs: Map<string, Blob>
  /** The uncommitted blocks of each name. */
  staged: Map<string, Map<string, Part>>
}

export interface Conditions {
  ifMatch?: string | undefined
  ifNoneMatch?: string | undefined
}

// How long Azure tries to copy from an address that does not answer.
const MAX_COPY_MS = 14 * 24 * 3_600_000

export const storageError = (statusCode: number, errorCode: string): RestError =>
  Object.assign(new RestError(errorCode, { statusCode, code: errorCode }), { details: { errorCode } })

const knownMd5s = new WeakMap<Buffer, Buffer>()

export const md5Of = (bytes: Buffer): Buffer => {
  const md5 = knownMd5s.get(bytes) ?? createHash('md5').update(bytes).digest()
  knownMd5s.set(bytes, md5)
  return md5
}

export const sizeOf = ({ parts }: Pick<Blob, 'parts'>): number =>
  parts.reduce((size, { bytes }) => size + bytes.length, 0)

/** The bytes from `start` to `end`, without copying them. */
const slice = (parts: readonly Part[], start: number, end: number): Buffer[] => {
  let offset = 0
  return parts.flatMap(({ bytes }) => {
    const from = Math.max(start - offset, 0)
    const to = Math.min(end - offset, bytes.length)
    offset += bytes.length
    if (from >= to) return []
    return [from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to)]
  })
}

const assertConditions = (blob: Blob | undefined, { ifMatch, ifNoneMatch }: Conditions): void => {
  if (ifNoneMatch === '*' && blob) throw storageError(409, 'BlobAlreadyExists')
  if (ifMatch && ifMatch !== blob?.etag) throw storageError(412, 'ConditionNotMet')
}

const withType = (headers: BlobHTTPHeaders = {}): BlobHTTPHeaders => ({
  blobContentType: 'application/octet-stream',
  ...headers,
})

const describeBlocks = (parts: Iterable<Part>) =>
  [...parts].flatMap(({ name, bytes }) => (name ? [{ name, size: bytes.length }] : []))

export const createStoredBlobs = (now: () => Date) => {
  const containers = new Map<string, Container>()
  let changes = 0

  const isLeased = (blob: Blob | undefined): boolean => (blob?.leasedUntil ?? 0) > now().getTime()

  const touch = (blob: Blob): Blob => {
    changes += 1
    return Object.assign(blob, { etag: `"0x${changes.toString(16)}"`, lastModified: now() })
  }

  const endCopy = (blob: Blob): void => {
    if (blob.copy?.status !== 'pending') return
    blob.copy.status = blob.copy.parts ? 'success' : 'failed'
    blob.parts = blob.copy.parts ?? []
    touch(blob)
  }

  const containerAt = (name: string): Container => {
    const container = containers.get(name)
    if (!container) throw storageError(404, 'ContainerNotFound')
    return container
  }

  const blobAt = (containerName: string, name: string) => {
    const find = (): Blob | undefined => {
      const blob = containerAt(containerName).blobs.get(name)
      if (blob?.copy && blob.copy.endsAt <= now().getTime()) endCopy(blob)
      return blob
    }

    const stagedBlocks = () => containerAt(containerName).staged.get(name)

    const read = (conditions: Conditions = {}): Blob => {
      const blob = find()
      assertConditions(blob, conditions)
      if (!blob) throw storageError(404, 'BlobNotFound')
      return blob
    }

    const assertWritable = (blob: Blob | undefined, conditions: Conditions = {}): void => {
      assertConditions(blob, conditions)
      // The documentation does not say which of the two comes first.
      if (blob?.copy?.status === 'pending') throw storageError(409, 'PendingCopyOperation')
      if (isLeased(blob)) throw storageError(412, 'LeaseIdMissing')
    }

    // Uncommitted blocks are no blob, and are dropped when there is one. In Azurite they count for conditions, and stay.
    const replace = (content: Pick<Blob, 'parts' | 'headers' | 'copy'>, conditions?: Conditions): Blob => {
      const previous = find()
      assertWritable(previous, conditions)
      const { blobs, staged } = containerAt(containerName)
      staged.delete(name)
      const blob = touch({ ...content, snapshots: previous?.snapshots ?? 0, etag: '', lastModified: now() })
      blobs.set(name, blob)
      return blob
    }

    return {
      find,
      read,

      readRange: (offset: number, count: number | undefined, conditions?: Conditions) => {
        const blob = read(conditions)
        const size = sizeOf(blob)
        const isWhole = offset === 0 && count === undefined
        // Azurite returns no bytes where the range starts at the end.
        if (!isWhole && offset >= size) throw storageError(416, 'InvalidRange')
        const end = Math.min(offset + (count ?? size), size)
        return {
          ...blob,
          chunks: slice(blob.parts, offset, end),
          length: end - offset,
          range: isWhole ? undefined : `bytes ${offset}-${end - 1}/${size}`,
        }
      },

      put: (bytes: Buffer, headers?: BlobHTTPHeaders, conditions?: Conditions): Blob =>
        replace(
          { parts: [{ bytes }], headers: { ...withType(headers), blobContentMD5: md5Of(bytes) } },
          conditions,
        ),

      stage: (id: string, bytes: Buffer): void => {
        assertWritable(find())
        // Azurite accepts empty blocks.
        if (bytes.length === 0) throw storageError(400, 'InvalidHeaderValue')
        const blocks = stagedBlocks() ?? new Map<string, Part>()
        const [other = id] = blocks.keys()
        if (other.length !== id.length) throw storageError(400, 'InvalidBlobOrBlock')
        containerAt(containerName).staged.set(name, blocks.set(id, { name: id, bytes }))
      },

      commit: (ids: readonly string[], headers?: BlobHTTPHeaders, conditions?: Conditions): Blob => {
        const previous = find()
        assertWritable(previous, conditions)
        const parts = ids.map((id) => {
          const part = stagedBlocks()?.get(id) ?? previous?.parts.find((committed) => committed.name === id)
          if (!part) throw storageError(400, 'InvalidBlockList')
          return part
        })
        return replace({ parts, headers: withType(headers) })
      },

      listBlocks: () => {
        const blob = find()
        const staged = stagedBlocks()
        if (!blob && !staged) throw storageError(404, 'BlobNotFound')
        return {
          committedBlocks: describeBlocks(blob?.parts ?? []),
          uncommittedBlocks: describeBlocks(staged?.values() ?? []),
        }
      },

      change: (changed: Partial<Pick<Blob, 'headers'>>, conditions?: Conditions): Blob => {
        const blob = read(conditions)
        assertWritable(blob)
        return touch(Object.assign(blob, changed))
      },

      // Azurite deletes uncommitted blocks, too, and can still commit them.
      remove: (withSnapshots: boolean, conditions?: Conditions): void => {
        const blob = read(conditions)
        assertWritable(blob)
        if (blob.snapshots > 0 && !withSnapshots) throw storageError(409, 'SnapshotsPresent')
        containerAt(containerName).blobs.delete(name)
        containerAt(containerName).staged.delete(name)
      },

      /** Copies `source`, or from an address that does not answer. */
      copy: (source: Blob | undefined, durationMs: number, conditions?: Conditions): void => {
        const endsAt = now().getTime() + (source ? durationMs : MAX_COPY_MS)
        changes += 1
        const copy: Copy = { id: `copy-${changes}`, status: 'pending', endsAt, parts: source?.parts }
        replace({ parts: [], headers: source?.headers ?? withType(), copy }, conditions)
        find()
      },

      // Azurite never has a pending copy.
      abortCopy: (id: string): void => {
        const blob = read()
        if (isLeased(blob)) throw storageError(412, 'LeaseIdMissing')
        if (blob.copy?.id !== id) throw storageError(409, 'CopyIdMismatch')
        if (blob.copy.status !== 'pending') throw storageError(409, 'NoPendingCopyOperation')
        blob.copy.status = 'aborted'
        touch(blob)
      },

      snapshot: (): void => {
        read().snapshots += 1
      },

      // Azurite leases uncommitted blocks, too.
      lease: (seconds: number): void => {
        const blob = read()
        if (isLeased(blob)) throw storageError(409, 'LeaseAlreadyPresent')
        blob.leasedUntil = seconds === -1 ? Infinity : now().getTime() + seconds * 1_000
      },

      breakLease: (seconds: number): void => {
        const blob = read()
        if (blob.leasedUntil === undefined) throw storageError(409, 'LeaseNotPresentWithLeaseOperation')
        blob.leasedUntil = Math.min(blob.leasedUntil, now().getTime() + seconds * 1_000)
      },
    }
  }

  return {
    containers,
    containerAt,
    blobAt,
    isLeased,
    /** Ends all copies that are pending, as time would. */
    endCopies: (): void => {
      for (const { blobs } of containers.values()) for (const blob of blobs.values()) endCopy(blob)
    },
  }
}
export type StoredBlobs = ReturnType<typeof createStoredBlobs>
