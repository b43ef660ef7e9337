import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Upload } from '@confetti/contracts'
import { eventually } from '@confetti/test-kit'
import { sha256 } from '../sha256.ts'
import { download, listUploads, type Harness } from '../harness.ts'
import type { Violation } from './invariant-violations.ts'

/** A file that was sent to an event under a credit. */
export interface SentFile {
  eventId: string
  credit: string
  sha256: string
}

/** A file that was answered with 201. */
export interface AcknowledgedUpload extends SentFile {
  uploadId: string
  size: number
  originalName: string
}

export interface VerifyOptions {
  /** Whether media workers run, so that every upload must become `ready`. */
  expectProcessed?: boolean
  /** Names of files that no decoder can open. They must become `failed`, with a reason. */
  undecodable?: readonly string[]
  /** How long to wait for the next upload to be processed, in milliseconds, once all faults are over. */
  progressTimeoutMs?: number
}

const DEFAULT_PROGRESS_TIMEOUT_MS = 120_000
const DOWNLOAD_CONCURRENCY = 6
const READ_TIMEOUT_MS = 60_000

const contentKey = ({ credit, sha256: hash }: Pick<SentFile, 'credit' | 'sha256'>): string =>
  `${hash} of ${credit}`

/** The hash of the bytes at `url`, or why they are not there. One read that failed on a busy machine is no loss. */
const hashAt = async (url: string): Promise<string> => {
  let reason = ''
  const readOnce = async (): Promise<string | false> => {
    try {
      return sha256(await download(url))
    } catch (error) {
      reason = `not readable: ${String(error)}`
      // An answer, unlike a time-out, a broken connection or a server that is busy.
      return / returned 4\d\d$/.test(reason) && reason
    }
  }
  return eventually(readOnce, 'the bytes', READ_TIMEOUT_MS).catch(() => reason)
}

/** Downloads each upload. Returns their hashes by upload id. */
const downloadHashes = async (uploads: readonly Upload[]): Promise<Map<string, string>> => {
  const hashes = new Map<string, string>()
  const queue = [...uploads]
  const downloadNext = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) hashes.set(next._id, await hashAt(next.url))
  }
  await Promise.all(Array.from({ length: DOWNLOAD_CONCURRENCY }, downloadNext))
  return hashes
}

/** Records which files were sent and which were acknowledged, and verifies that the system has stored them. */
export const createUploadLog = (harness: Harness) => {
  const sentContents = new Map<string, Set<string>>()
  const acknowledged: AcknowledgedUpload[] = []

  const recordSent = ({ eventId, ...content }: SentFile): void => {
    const contents = sentContents.get(eventId) ?? new Set()
    sentContents.set(eventId, contents.add(contentKey(content)))
  }

  const verifyListed = (expected: AcknowledgedUpload, listed: readonly Upload[]): Violation[] => {
    const what = `${expected.originalName} of ${expected.credit}, acknowledged as ${expected.uploadId}`
    const found = listed.filter(({ _id }) => _id === expected.uploadId)
    const [upload] = found
    if (!upload) return [{ kind: 'lost', what }]
    if (found.length > 1) return [{ kind: 'duplicate', what }]
    const differences = [
      upload.sha256 !== expected.sha256 && `its hash is ${upload.sha256}, not ${expected.sha256}`,
      upload.size !== expected.size && `its size is ${upload.size}, not ${expected.size}`,
      upload.photoCredit !== expected.credit && `it is credited to ${upload.photoCredit}`,
      upload.eventId !== expected.eventId && `it is in event ${upload.eventId}`,
    ]
    return differences
      .filter((difference) => difference !== false)
      .map((difference) => ({ kind: 'mismatch', what: `${what}: ${difference}` }))
  }

  const verifyEvent = async (eventId: string): Promise<Violation[]> => {
    const listed = await listUploads(harness, eventId)
    const expected = acknowledged.filter((each) => each.eventId === eventId)
    const violations = expected.flatMap((each) => verifyListed(each, listed))
    const listedContents = new Set<string>()
    for (const { _id, photoCredit: credit, sha256: hash, originalName } of listed) {
      const content = contentKey({ credit, sha256: hash })
      const what = `${originalName} of ${credit}, listed as ${_id}`
      if (listedContents.has(content)) violations.push({ kind: 'duplicate', what })
      if (!sentContents.get(eventId)?.has(content)) violations.push({ kind: 'unexpected', what })
      listedContents.add(content)
    }
    const hashes = await downloadHashes(listed)
    for (const { _id, sha256: hash, originalName } of listed)
      if (hashes.get(_id) !== hash)
        violations.push({ kind: 'lost', what: `the bytes of ${originalName}, ${_id}: ${hashes.get(_id)}` })
    return violations
  }

  /** Waits until no upload is processing or there is no progress. Returns the uploads without the expected status. */
  const verifyProcessed = async ({
    undecodable = [],
    progressTimeoutMs = DEFAULT_PROGRESS_TIMEOUT_MS,
  }: VerifyOptions): Promise<Violation[]> => {
    let processedCount = 0
    let deadline = Date.now() + progressTimeoutMs
    for (;;) {
      const listed = (
        await Promise.all([...sentContents.keys()].map((eventId) => listUploads(harness, eventId)))
      ).flat()
      const wrong = listed.filter(({ status, originalName, failureReason }) =>
        undecodable.includes(originalName) ? status !== 'failed' || !failureReason : status !== 'ready',
      )
      const isFinal = wrong.every(({ status }) => status !== 'processing')
      const processedNow = listed.filter(({ status }) => status !== 'processing').length
      if (processedNow > processedCount) deadline = Date.now() + progressTimeoutMs
      processedCount = processedNow
      if (isFinal || Date.now() > deadline)
        return wrong.map(({ _id, originalName, status, failureReason = '' }) => ({
          kind: 'stuck',
          what: `${originalName}, ${_id}, is ${status} ${failureReason}`.trim(),
        }))
      await sleep(250)
    }
  }

  return {
    /** Must be called before a file is sent: it may be listed whether or not its response arrives. */
    recordSent,
    recordAcknowledged: (upload: AcknowledgedUpload): void => {
      recordSent(upload)
      // Sending a file again is acknowledged with the same upload.
      if (!acknowledged.some((each) => isDeepStrictEqual(each, upload))) acknowledged.push(upload)
    },
    /** Stops expecting an upload that was deleted on purpose. */
    recordDeleted: (uploadId: string): void => {
      const index = acknowledged.findIndex((each) => each.uploadId === uploadId)
      const [deleted] = acknowledged.splice(index, 1)
      if (deleted) sentContents.get(deleted.eventId)?.delete(contentKey(deleted))
    },
    acknowledgedCount: () => acknowledged.length,
    /**
     * Checks that each acknowledged file is listed once in its own event, under its credit, and downloads as it was
     * sent; that nothing is listed twice or was never sent; and that every upload becomes ready. Returns the
     * violations of these invariants.
     */
    verify: async (options: VerifyOptions = {}): Promise<Violation[]> => {
      const unprocessed = options.expectProcessed === false ? [] : await verifyProcessed(options)
      const found = await Promise.all([...sentContents.keys()].map(verifyEvent))
      return [...found.flat(), ...unprocessed]
    },
  }
}
export type UploadLog = ReturnType<typeof createUploadLog>
