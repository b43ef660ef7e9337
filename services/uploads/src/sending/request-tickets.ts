import type { DeclaredFile, NewTicket, TextLimits, UploadLimits } from '@confetti/contracts'
import { injectTraceContext, notFound, type AppError, type Clock } from '@confetti/service-kit'
import type { UploadMetrics } from '../upload-metrics.ts'
import { checkCredit } from './sender.ts'
import { toOriginalName } from '../file-names.ts'
import type { FindOpenEvent } from '../events.ts'
import type { OpenTickets } from './open-tickets.ts'
import { emptyFile, eventMissing, fileTooLarge, noFiles } from '../rejections.ts'
import type { Quotas } from './quotas.ts'
import type { Tickets } from './tickets.ts'
import { ownerOf, type Sender } from './sender.ts'
import { toUploadResult } from './upload-result.ts'
import type { StoredUpload, UploadStore } from '../upload.ts'

interface Deps {
  /** Whether guests can send files straight to blob storage. */
  isEnabled: boolean
  findOpenEvent: FindOpenEvent
  uploads: Pick<UploadStore, 'findByHash' | 'addOwners'>
  quotas: Pick<Quotas, 'findExceeding'>
  openTickets: Pick<OpenTickets, 'open'>
  tickets: Pick<Tickets, 'issue'>
  newId: (eventId: string, now: Date) => string
  clock: Clock
  limits: Pick<UploadLimits, 'MAX_FILE_BYTES'> & Pick<TextLimits, 'MAX_CREDIT_CHARACTERS'>
  metrics: Pick<UploadMetrics, 'ticket'>
}

interface TicketRequest {
  eventId: string
  photoCredit: string
  files: readonly DeclaredFile[]
}

/**
 * Issues tickets for files that a guest wants to send straight to blob storage, each independently of the others.
 * Stores nothing; the sender becomes an owner of what the event has already. Throws if the event does not accept uploads, if the credit or all files are missing, or if
 * the holder has too many open tickets.
 */
export const createTicketRequest = ({
  isEnabled,
  findOpenEvent,
  uploads,
  quotas,
  openTickets,
  tickets,
  newId,
  clock,
  limits,
  metrics,
}: Deps) => {
  const findRejection = ({ size }: DeclaredFile): AppError | undefined => {
    if (size === 0) return emptyFile()
    return size > limits.MAX_FILE_BYTES ? fileTooLarge(limits) : undefined
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

  return async (
    sender: Sender,
    { eventId, photoCredit: sentCredit, files }: TicketRequest,
  ): Promise<NewTicket[]> => {
    if (!isEnabled) throw notFound('Direct uploads are turned off.', { code: 'direct_uploads_off' })
    if (!eventId.trim()) throw eventMissing()
    const event = await findOpenEvent(eventId)
    const photoCredit = checkCredit(sentCredit, limits.MAX_CREDIT_CHARACTERS)
    if (files.length === 0) throw noFiles()
    const duplicates = await findDuplicates(sender, { eventId: event._id, photoCredit, files })
    const checkedFiles = files.map((file) => {
      const rejection = findRejection(file)
      return { ...file, rejection, existing: rejection ? undefined : duplicates.get(file.sha256 ?? '') }
    })
    const wantedFiles = checkedFiles.filter(({ rejection, existing }) => !rejection && !existing)
    const exceeding = await quotas.findExceeding(
      { event, holder: sender.holder },
      wantedFiles.map(({ size }) => size),
    )
    for (const [index, error] of exceeding) {
      const file = wantedFiles[index]
      if (file) file.rejection = error
    }
    const sentFiles = wantedFiles.filter(({ rejection }) => !rejection)
    if (sentFiles.length > 0) await openTickets.open(sender.holder, event._id, sentFiles)
    const now = clock()
    const { traceparent } = injectTraceContext()
    return checkedFiles.map(({ name, size, sha256, rejection, existing }) => {
      const originalName = toOriginalName(name)
      metrics.ticket(rejection?.code ?? (existing ? 'duplicate' : 'send'))
      if (rejection) return { outcome: 'rejected', code: rejection.code, message: rejection.message }
      if (existing)
        return {
          outcome: 'duplicate',
          upload: toUploadResult({ upload: existing, duplicate: true }, originalName),
        }
      const file = { originalName, size, ...(sha256 && { sha256 }) }
      const issued = {
        uploadId: newId(event._id, now),
        eventId: event._id,
        photoCredit,
        issuedAt: now,
        ...sender,
      }
      return tickets.issue({ ...file, ...issued, ...(traceparent && { traceparent }) }, now)
    })
  }
}
