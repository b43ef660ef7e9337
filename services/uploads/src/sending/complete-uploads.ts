import type { EventCopy, SentFile, UploadResult } from '@confetti/contracts'
import {
  AppError,
  continueTrace,
  inSpan,
  internalError,
  isUnavailable,
  unavailable,
  withUploadId,
} from '@confetti/service-kit'
import pTimeout from 'p-timeout'
import { detectMediaType } from './media-type.ts'
import type { AcceptUploads } from './acceptance.ts'
import type { Deps } from '../deps.ts'
import { findClosedError } from '../events.ts'
import { limitKey, type OpenTickets } from './guest-limits.ts'
import { eventClosed, incomplete, unsupportedFile } from '../rejections.ts'
import { blocksOf, type Ticket, type Tickets } from './tickets.ts'
import { toUploadResult, type AddedUpload, type ArrivedUpload } from '../upload.ts'

export interface CompletedUploads {
  uploads: (UploadResult & { uploadId: string })[]
  rejected: { uploadId?: string; originalName: string; error: AppError }[]
}

interface Inspection {
  /** Whether its hash is computed although its guest declared one. */
  needsHash: boolean
  /** How long the call waits for hashes, in milliseconds since 1970. */
  hashUntil: number
  /** Whether the event takes no uploads any more. */
  isClosed: boolean
}

type ArrivedFile = { upload: ArrivedUpload } | { error: AppError }

// Each needs a few calls to blob storage.
const FILES_AT_ONCE = 10
// For all files of a call: a guest's page waits 30 s for its answer, and others' files may be hashed first. Hashing goes on
// meanwhile, and a completion that is repeated waits for the same hash.
const HASH_WAIT_MS = 10_000

/**
 * Turns files that guests have sent straight to blob storage into uploads, each independently of the others. What it
 * returns as uploads is durable: bytes that no link can change any more, and a committed record. Completing a ticket
 * again gives the same result. Throws `gone` if the event of all files has been closed, and `unavailable` if blob storage
 * or the database fails; nothing is lost then.
 */
export const createCompletion = (
  { uploads, blobs, events, erasedIds, clock, metrics, logger }: Deps,
  {
    tickets: { read },
    openTickets,
    acceptUploads,
  }: { tickets: Tickets; openTickets: OpenTickets; acceptUploads: AcceptUploads },
) => {
  /** Removes what has arrived of a file, as far as that is possible. */
  const removeSent = async (uploadId: string): Promise<void> => {
    await blobs.removeAll(uploadId)
    await blobs.removeStaged(uploadId)
  }

  /** The hash of a file, or the one that the guest declared: then the media worker finds out which it has. */
  const findHash = async (
    { uploadId, sha256: declared }: Ticket,
    etag: string,
    { needsHash, hashUntil }: Inspection,
  ): Promise<{ sha256: string; isDeclared: boolean }> => {
    if (declared && !needsHash) return { sha256: declared, isDeclared: true }
    try {
      const hashed = pTimeout(blobs.hashOriginal(uploadId, etag), {
        milliseconds: Math.max(1, hashUntil - clock().getTime()),
        message: unavailable('The upload is still being checked. Please try again in a moment.', 2),
      })
      return { sha256: await hashed, isDeclared: false }
    } catch (error) {
      // A possible duplicate that cannot be read now must not keep the other files of the call from being stored.
      if (!declared || !isUnavailable(error)) throw error
      return { sha256: declared, isDeclared: true }
    }
  }

  /**
   * Looks at what has arrived: its type by its first bytes, its size and, unless the hash that the guest declared can be
   * taken for now, its hash. Of a closed event it assembles none: what has been completed before is whole.
   */
  const inspect = async (ticket: Ticket, inspection: Inspection): Promise<ArrivedFile> => {
    const { uploadId, eventId, photoCredit, originalName, size, lastModified, consentVersion } = ticket
    const blocks = blocksOf(ticket)
    if (blocks && !inspection.isClosed && !(await blobs.assemble(uploadId, blocks)))
      return { error: incomplete() }
    const original = await blobs.readOriginal(uploadId)
    if (!original) return { error: incomplete() }
    if (original.size !== size) {
      // So that the whole file can be sent with the same ticket.
      await blobs.removeOriginalVersion(uploadId, original.etag)
      return { error: incomplete() }
    }
    const contentType = await detectMediaType(original.head)
    if (!contentType) return { error: unsupportedFile() }
    const { sha256, isDeclared } = await findHash(ticket, original.etag, inspection)
    return {
      upload: {
        _id: uploadId,
        eventId,
        photoCredit,
        originalName,
        contentType,
        size,
        sha256,
        uploadedAt: clock(),
        ...(lastModified !== undefined && { lastModified }),
        ...(consentVersion && { consent: { version: consentVersion, at: ticket.issuedAt.toISOString() } }),
        ...(ticket.traceparent && { traceparent: ticket.traceparent }),
        ...(isDeclared && { provisionalIdentity: original.contentMd5 ?? uploadId }),
      },
    }
  }

  /** The events with these ids by their ids, or the error that says that they have been deleted. */
  const findEvents = async (eventIds: ReadonlySet<string>): Promise<Map<string, EventCopy | AppError>> => {
    const found = new Map<string, EventCopy | AppError>()
    for (const eventId of eventIds)
      try {
        found.set(eventId, await events.get(eventId))
      } catch (error) {
        if (!(error instanceof AppError) || error.kind !== 'not_found') throw error
        found.set(eventId, error)
      }
    return found
  }

  /**
   * The tickets with the declared hash of another upload of their event and credit. Their files are hashed, so that only
   * those that really have its bytes become duplicates.
   */
  const findPossibleDuplicates = async (tickets: readonly Ticket[]): Promise<Set<Ticket>> => {
    const possible = new Set<Ticket>()
    const declared = tickets.filter(({ sha256 }) => sha256)
    const groups = Map.groupBy(declared, ({ eventId, photoCredit }) => `${eventId}/${photoCredit}`)
    for (const group of groups.values()) {
      const { eventId = '', photoCredit = '' } = group[0] ?? {}
      const hashes = group.map(({ sha256 = '' }) => sha256)
      const existing = await uploads.findByHash(eventId, photoCredit, hashes)
      for (const ticket of group)
        if (existing.some(({ _id, sha256 }) => sha256 === ticket.sha256 && _id !== ticket.uploadId))
          possible.add(ticket)
    }
    return possible
  }

  /**
   * Inspects the files of tickets, by the ids of their uploads. Removes those of deleted events. Those of closed events
   * stay until the sweep: an organiser may open the event again. They are looked at, too, as far as a declared hash makes
   * that cheap: one that was completed as a duplicate has no record, and is to be answered as before.
   */
  const inspectAll = async (tickets: readonly Ticket[]): Promise<Map<string, ArrivedFile>> => {
    const files = new Map<string, ArrivedFile>()
    const found = await findEvents(new Set(tickets.map(({ eventId }) => eventId)))
    const possibleDuplicates = await findPossibleDuplicates(tickets)
    const hashUntil = clock().getTime() + HASH_WAIT_MS
    for (let start = 0; start < tickets.length; start += FILES_AT_ONCE)
      await Promise.all(
        tickets.slice(start, start + FILES_AT_ONCE).map(async (ticket) => {
          const event = found.get(ticket.eventId)
          const isDeleted = event instanceof AppError
          // A database that was restored from a backup lacks the events of acknowledged photos, too.
          if (isDeleted && (await erasedIds.has(ticket.eventId))) await removeSent(ticket.uploadId)
          const closedError = isDeleted ? event : event && findClosedError(event, ticket.issuedAt, clock())
          if (closedError && (isDeleted || !ticket.sha256)) {
            files.set(ticket.uploadId, { error: closedError })
            return
          }
          const inspection = {
            needsHash: possibleDuplicates.has(ticket),
            hashUntil,
            isClosed: closedError !== undefined,
          }
          const file = await continueTrace(ticket.traceparent, () =>
            withUploadId(ticket.uploadId, () =>
              inSpan('complete upload', {}, () => inspect(ticket, inspection)),
            ),
          )
          files.set(ticket.uploadId, closedError && 'error' in file ? { error: closedError } : file)
        }),
      )
    return files
  }

  /** Leaves out tickets without a hash that have been completed: their files must not be read again and again. */
  const leaveOutCompleted = async (tickets: readonly Ticket[]): Promise<Ticket[]> => {
    const undeclared = tickets.filter(({ sha256 }) => !sha256).map(({ uploadId }) => uploadId)
    if (undeclared.length === 0) return [...tickets]
    const completed = await uploads.findAdded(undeclared)
    return tickets.filter(({ uploadId }) => !completed.has(uploadId))
  }

  /** The uploads of tickets by their ids, those of earlier completions included. Errors go to `files`. */
  const store = async (
    tickets: ReadonlyMap<string, Ticket>,
    files: Map<string, ArrivedFile>,
  ): Promise<Map<string, AddedUpload>> => {
    const arrived = [...files.values()].flatMap((file) => {
      const ticket = 'upload' in file && tickets.get(file.upload._id)
      return ticket ? { upload: file.upload, sender: ticket, begunAt: ticket.issuedAt } : []
    })
    const stored = new Map<string, AddedUpload>()
    for (const [index, outcome] of (await acceptUploads(arrived)).entries()) {
      const id = arrived[index]?.upload._id ?? ''
      if ('error' in outcome) files.set(id, outcome)
      else stored.set(id, outcome)
    }
    // The original of an upload that was completed and deleted is gone.
    const missing = [...tickets.keys()].filter((id) => !stored.has(id))
    if (missing.length > 0)
      for (const [id, outcome] of await uploads.findAdded(missing)) stored.set(id, outcome)
    return stored
  }

  // Neither is awaited: the files are stored already.
  const removeBlocks = (tickets: readonly Ticket[]): void => {
    for (const { uploadId } of tickets.filter(blocksOf))
      void blobs.removeCommittedBlocks(uploadId).catch((error: unknown) => {
        logger.warn({ err: error, uploadId }, 'failed to remove staged blocks; the sweep removes them')
      })
  }
  const closeTickets = (tickets: readonly Ticket[]): void => {
    const groups = Map.groupBy(tickets, ({ limitSubject, eventId }) => limitKey(eventId, limitSubject))
    for (const group of groups.values()) {
      const [first] = group
      if (!first) continue
      void openTickets.close(first.limitSubject, first.eventId, group).catch((error: unknown) => {
        logger.warn({ err: error }, 'failed to count completed tickets; they count as open until they expire')
      })
    }
  }

  const recordStored = (ticket: Ticket, { upload, kind }: AddedUpload): void => {
    metrics.stored({ upload, kind }, 'direct')
    metrics.ticketAge(clock().getTime() - ticket.issuedAt.getTime())
    logger.info({ uploadId: upload._id, size: ticket.size, duplicate: kind === 'duplicate' }, 'file stored')
  }

  return async (sent: readonly SentFile[]): Promise<CompletedUploads> => {
    const results: CompletedUploads = { uploads: [], rejected: [] }
    const reject = (error: AppError, ticket?: Ticket): void => {
      const { uploadId, originalName = '' } = ticket ?? {}
      results.rejected.push({ ...(uploadId && { uploadId }), originalName, error })
      metrics.rejected(error.code, 'direct')
      logger.info({ code: error.code, uploadId }, 'file rejected')
    }

    const tickets = new Map<string, Ticket>()
    const declared = sent.map((file) => (typeof file === 'string' ? { ticket: file } : file))
    for (const [index, each] of read(declared.map(({ ticket }) => ticket)).entries()) {
      const { sha256 } = declared[index] ?? {}
      if ('error' in each) reject(each.error, each.ticket)
      else tickets.set(each.ticket.uploadId, { ...(sha256 && { sha256 }), ...each.ticket })
    }

    const unread = await leaveOutCompleted([...tickets.values()])
    const files = await metrics.phase('inspect', () => inspectAll(unread))
    const stored = await metrics.phase('record', () => store(tickets, files))
    const completed: Ticket[] = []
    const closed: Ticket[] = []
    for (const [uploadId, ticket] of tickets) {
      const outcome = stored.get(uploadId)
      const file = files.get(uploadId)
      if (!outcome) {
        reject(file && 'error' in file ? file.error : internalError(), ticket)
        continue
      }
      completed.push(ticket)
      results.uploads.push({ ...toUploadResult(outcome, ticket.originalName), uploadId })
      // A completion that is repeated counts once. Of a duplicate that is not known: its ticket counts as open until it
      // expires, and its blob stays until the sweep, as a repetition reads it again.
      if (outcome.kind === 'new') closed.push(ticket)
      if (outcome.kind !== 'repeated') recordStored(ticket, outcome)
    }
    removeBlocks(completed)
    closeTickets(closed)
    if (results.uploads.length === 0 && results.rejected.every(({ error }) => error.code === 'event_closed'))
      throw eventClosed()
    return results
  }
}
