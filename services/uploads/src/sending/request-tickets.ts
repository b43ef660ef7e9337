import { currentPeriod, newUploadId } from '@confetti/blob-storage'
import type { DeclaredFile, NewTicket, ResumedTicket } from '@confetti/contracts'
import { AppError, injectTraceContext, notFound } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import { toOriginalName } from '../file-names.ts'
import { emptyFile, eventClosed, eventMissing, fileTooLarge, noFiles } from '../rejections.ts'
import type { BlockDescriptor } from '../upload-blobs.ts'
import { toUploadResult, type StoredUpload } from '../upload.ts'
import type { OpenTickets } from './guest-limits.ts'
import type { Quotas } from './quotas.ts'
import { parseCredit, ownerOf, type Sender } from './sender.ts'
import { blocksOf, type Ticket, type Tickets } from './tickets.ts'

const rejectedBy = ({ code, message }: AppError): ResumedTicket => ({ outcome: 'rejected', code, message })

interface TicketRequest {
  eventId: string
  photoCredit: string
  consentVersion?: string | undefined
  files: readonly DeclaredFile[]
}

/** Tickets for files that guests send straight to blob storage, and new links for those that were interrupted. */
export const createTicketRequests = (
  { config, uploads, blobs, events, unreadPeriods, clock, metrics }: Deps,
  { tickets, openTickets, quotas }: { tickets: Tickets; openTickets: OpenTickets; quotas: Quotas },
) => {
  const findRejection = ({ size }: DeclaredFile): AppError | undefined => {
    if (size === 0) return emptyFile()
    return size > config.MAX_FILE_BYTES ? fileTooLarge(config) : undefined
  }

  /** The uploads that the event already has of these files, by their hash. Makes the sender an owner of them. */
  const findDuplicates = async (
    sender: Sender,
    { eventId, photoCredit, files }: TicketRequest,
  ): Promise<Map<string, StoredUpload>> => {
    const hashes = files.flatMap(({ sha256 }) => sha256 ?? [])
    const existing = hashes.length > 0 ? await uploads.findByHash(eventId, photoCredit, hashes) : []
    const guestId = ownerOf(sender)
    const duplicates = new Map<string, StoredUpload>()
    for (const upload of existing)
      if (await uploads.addOwners(upload._id, guestId ? [guestId] : [])) duplicates.set(upload.sha256, upload)
    return duplicates
  }

  const listReceived = async (uploadId: string, blocks: readonly BlockDescriptor[]): Promise<string[]> => {
    const received = new Map((await blobs.listReceived(uploadId)).map(({ id, size }) => [id, size]))
    const whole = blocks.filter(({ id, size }) => received.get(id) === size).map(({ id }) => id)
    // An interrupted completion may have made the original, and removed the blocks.
    const hasOriginal = whole.length === 0 && (await blobs.readOriginal(uploadId)) !== undefined
    return hasOriginal ? blocks.map(({ id }) => id) : whole
  }

  const resume = async (ticket: Ticket): Promise<ResumedTicket> => {
    try {
      const event = await events.getOpen(ticket.eventId, ticket.issuedAt)
      // What may not be stored any more is refused before it is sent.
      const exceeding = await quotas.findExceeding({ event, limitSubject: ticket.limitSubject }, [
        ticket.size,
      ])
      const [error] = exceeding.values()
      if (error) return rejectedBy(error)
    } catch (error) {
      if (!(error instanceof AppError) || !['not_found', 'gone'].includes(error.kind)) throw error
      return rejectedBy(error)
    }
    const { transfer, ...send } = tickets.issue(ticket, clock())
    if (transfer.kind === 'single') return { ...send, transfer }
    const received = await listReceived(ticket.uploadId, blocksOf(ticket) ?? [])
    return { ...send, transfer: { ...transfer, received } }
  }

  return {
    /**
     * Issues tickets for files that a guest wants to send, each independently of the others. Stores none of them, only that
     * files may arrive for the event; the sender becomes an owner of what the event has already. Throws if the event does not
     * accept uploads, if the credit, the consent or all files are missing, or if the sender has too many open tickets.
     */
    requestTickets: async (
      sender: Sender,
      { eventId, photoCredit: sentCredit, consentVersion: sentVersion, files }: TicketRequest,
    ): Promise<NewTicket[]> => {
      if (config.DIRECT_UPLOADS === 'off')
        throw notFound('Direct uploads are turned off.', { code: 'direct_uploads_off' })
      if (!eventId.trim()) throw eventMissing()
      const event = await events.getOpen(eventId)
      const photoCredit = parseCredit(sentCredit, config.MAX_CREDIT_CHARACTERS)
      const consentVersion = await events.findConsent(event, sentVersion)
      if (files.length === 0) throw noFiles()
      const duplicates = await findDuplicates(sender, { eventId: event._id, photoCredit, files })
      const checkedFiles = files.map((file) => {
        const rejection = findRejection(file)
        return { ...file, rejection, existing: rejection ? undefined : duplicates.get(file.sha256 ?? '') }
      })
      const wantedFiles = checkedFiles.filter(({ rejection, existing }) => !rejection && !existing)
      const exceeding = await quotas.findExceeding(
        { event, limitSubject: sender.limitSubject },
        wantedFiles.map(({ size }) => size),
      )
      for (const [index, error] of exceeding) {
        const file = wantedFiles[index]
        if (file) file.rejection = error
      }
      const sentFiles = wantedFiles.filter(({ rejection }) => !rejection)
      const now = clock()
      if (sentFiles.length > 0) {
        // First: where it fails, no ticket counts as open.
        await unreadPeriods.add([currentPeriod(event._id, now)])
        await openTickets.open(sender.limitSubject, event._id, sentFiles)
      }
      const { traceparent } = injectTraceContext()
      return checkedFiles.map(({ name, size, sha256, lastModified, rejection, existing }) => {
        const originalName = toOriginalName(name)
        metrics.ticket(rejection?.code ?? (existing ? 'duplicate' : 'send'))
        if (rejection) return { outcome: 'rejected', code: rejection.code, message: rejection.message }
        if (existing)
          return {
            outcome: 'duplicate',
            upload: toUploadResult({ upload: existing, kind: 'duplicate' }, originalName),
          }
        const file = {
          originalName,
          size,
          ...(sha256 && { sha256 }),
          ...(lastModified !== undefined && { lastModified }),
        }
        const issued = {
          uploadId: newUploadId(event._id, now),
          eventId: event._id,
          photoCredit,
          ...(consentVersion && { consentVersion }),
          issuedAt: now,
          ...sender,
        }
        return tickets.issue({ ...file, ...issued, ...(traceparent && { traceparent }) }, now)
      })
    },

    /**
     * Gives new links for tickets whose files have not been completed, unless their event has been deleted, closed or is
     * full, and says which of their blocks have arrived. Throws `gone` if the event of all files has been closed.
     */
    resume: async (texts: readonly string[]): Promise<ResumedTicket[]> => {
      const read = tickets.read(texts)
      const ids = read.flatMap((each) => ('error' in each ? [] : each.ticket.uploadId))
      const stored = await uploads.findAdded(ids)
      const resumed: ResumedTicket[] = []
      for (const each of read) {
        if ('error' in each) {
          resumed.push(rejectedBy(each.error))
          continue
        }
        const added = stored.get(each.ticket.uploadId)
        resumed.push(
          added
            ? {
                outcome: 'done',
                upload: toUploadResult(added, each.ticket.originalName),
              }
            : await resume(each.ticket),
        )
      }
      if (resumed.every((each) => each.outcome === 'rejected' && each.code === 'event_closed'))
        throw eventClosed()
      return resumed
    },
  }
}
