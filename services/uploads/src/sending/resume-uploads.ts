import type { ResumedTicket } from '@confetti/contracts'
import { AppError, type Clock } from '@confetti/service-kit'
import type { DirectBlobs } from './direct-blobs.ts'
import type { FindOpenEvent } from '../events.ts'
import { eventClosed } from '../rejections.ts'
import { blocksOf, type BlockDescriptor, type Ticket, type Tickets } from './tickets.ts'
import { toUploadResult } from './upload-result.ts'
import type { UploadStore } from '../upload.ts'

interface Deps {
  tickets: Tickets
  findOpenEvent: FindOpenEvent
  uploads: Pick<UploadStore, 'findByIds'>
  blobs: Pick<DirectBlobs, 'listReceived' | 'readOriginal'>
  clock: Clock
}

const rejectedBy = ({ code, message }: AppError): ResumedTicket => ({ outcome: 'rejected', code, message })

/**
 * Gives new links for tickets whose files have not been completed, unless their event has been deleted or closed, and says
 * which of their blocks have arrived. Throws `gone` if the event of all files has been closed.
 */
export const createResumption = ({ tickets, findOpenEvent, uploads, blobs, clock }: Deps) => {
  const listReceived = async (uploadId: string, blocks: readonly BlockDescriptor[]): Promise<string[]> => {
    const received = new Map((await blobs.listReceived(uploadId)).map(({ id, size }) => [id, size]))
    const whole = blocks.filter(({ id, size }) => received.get(id) === size).map(({ id }) => id)
    // An interrupted completion may have made the original, and removed the blocks.
    const hasOriginal = whole.length === 0 && (await blobs.readOriginal(uploadId)) !== undefined
    return hasOriginal ? blocks.map(({ id }) => id) : whole
  }

  const resume = async (ticket: Ticket): Promise<ResumedTicket> => {
    try {
      await findOpenEvent(ticket.eventId, ticket.issuedAt)
    } catch (error) {
      if (!(error instanceof AppError) || !['not_found', 'gone'].includes(error.kind)) throw error
      return rejectedBy(error)
    }
    const { transfer, ...send } = tickets.issue(ticket, clock())
    if (transfer.kind === 'single') return { ...send, transfer }
    const received = await listReceived(ticket.uploadId, blocksOf(ticket) ?? [])
    return { ...send, transfer: { ...transfer, received } }
  }

  return async (texts: readonly string[]): Promise<ResumedTicket[]> => {
    const read = tickets.read(texts)
    const ids = read.flatMap((each) => ('error' in each ? [] : each.ticket.uploadId))
    const stored = new Map((await uploads.findByIds(ids)).map((upload) => [upload._id, upload]))
    const resumed: ResumedTicket[] = []
    for (const each of read) {
      if ('error' in each) {
        resumed.push(rejectedBy(each.error))
        continue
      }
      const upload = stored.get(each.ticket.uploadId)
      resumed.push(
        upload
          ? {
              outcome: 'done',
              upload: toUploadResult({ upload, duplicate: false }, each.ticket.originalName),
            }
          : await resume(each.ticket),
      )
    }
    if (resumed.every((each) => each.outcome === 'rejected' && each.code === 'event_closed'))
      throw eventClosed()
    return resumed
  }
}
