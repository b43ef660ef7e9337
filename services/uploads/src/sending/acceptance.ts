import { AppError } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import type { Quotas } from './quotas.ts'
import { ownerOf, type Sender } from './sender.ts'
import type { AddedUpload, ArrivedUpload, NewUpload } from '../upload.ts'

/** A file whose bytes have arrived, and who sent it. */
export interface Candidate {
  upload: ArrivedUpload
  sender: Sender
  /** When the guest began to send it. */
  begunAt: Date
}

/** Quota that is reserved for a file. */
interface QuotaReservation {
  upload: NewUpload
  settle: (isStored: boolean) => void
}

/** Why a file does not become an upload. */
interface Refusal {
  error: AppError
}

/**
 * Stores uploads if their event still exists, takes uploads and has quota left, and returns the outcome of each, in
 * order. A file that is stored already has the same outcome as the first time, also when the quota is used up or the
 * event is closed. What was taken back does not come back after that.
 */
export const createAcceptance = ({ uploads, events }: Deps, quotas: Quotas) => {
  const findStored = async (
    arrived: ArrivedUpload,
    guestId: string | undefined,
    { isClosed }: { isClosed: boolean },
  ): Promise<AddedUpload | undefined> => {
    const sameId = (await uploads.findAdded([arrived._id])).get(arrived._id)
    if (sameId) return sameId
    const upload = await uploads.findByContent(arrived, { isListed: isClosed })
    const isKept = upload && (await uploads.addOwners(upload._id, guestId ? [guestId] : []))
    return isKept ? { upload, kind: 'duplicate' } : undefined
  }

  /** Reserves quota. The event may have been deleted or changed while the file arrived. */
  const reserve = async ({
    upload,
    sender,
    begunAt,
  }: Candidate): Promise<QuotaReservation | AddedUpload | Refusal> => {
    const guestId = ownerOf(sender)
    try {
      const event = await events.getOpen(upload.eventId, begunAt)
      const settle = await quotas.reserve({ event, limitSubject: sender.limitSubject }, upload.size)
      const visibility = event.moderation === 'approve' ? 'pending' : 'visible'
      const { timeZone, save } = event
      return {
        upload: { ...upload, visibility, timeZone, ...(save && { save }), ...(guestId && { guestId }) },
        settle,
      }
    } catch (error) {
      if (!(error instanceof AppError) || !['not_found', 'gone', 'too_large'].includes(error.kind))
        throw error
      return (await findStored(upload, guestId, { isClosed: error.kind === 'gone' })) ?? { error }
    }
  }

  return async (candidates: readonly Candidate[]): Promise<(AddedUpload | Refusal)[]> => {
    const outcomes: (QuotaReservation | AddedUpload | Refusal)[] = []
    const listReservations = () => outcomes.flatMap((outcome) => ('settle' in outcome ? outcome : []))
    let added: AddedUpload[] = []
    try {
      // One after another: a limit counts what it refuses, too, until that is refunded.
      for (const candidate of candidates) outcomes.push(await reserve(candidate))
      const uploadsToAdd = listReservations().map(({ upload }) => upload)
      if (uploadsToAdd.length > 0) added = await uploads.add(uploadsToAdd)
    } finally {
      for (const [index, { settle }] of listReservations().entries()) settle(added[index]?.kind === 'new')
    }
    const addedInOrder = added.values()
    return outcomes.map((outcome) => {
      if (!('settle' in outcome)) return outcome
      const { value } = addedInOrder.next()
      if (!value) throw new Error('The database returned no upload')
      return value
    })
  }
}
export type AcceptUploads = ReturnType<typeof createAcceptance>
