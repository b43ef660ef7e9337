import { ApiError } from '@confetti/api-client'
import type { NewTicket } from '@confetti/contracts'
import type { SendOptions } from '../send-queue.ts'
import { MAX_FILES_PER_CALL, type UploadCalls } from './upload-calls.ts'

/** Below the megabytes that the server lets a guest have open tickets for. */
const MAX_BYTES_AHEAD = 2_000_000_000

/** A new ticket, and when it was requested: its link is as old. */
export interface RequestedTicket {
  created: NewTicket
  requestedAt: number
}

export type TicketOptions = Pick<SendOptions, 'credit' | 'selected' | 'closedError'>

interface TicketRequest {
  credit: string
  answer: Promise<RequestedTicket>
  /** Whether the file is being sent with it. */
  isTaken: boolean
}

/**
 * Creates the function that returns a new ticket for a file. Where it has to request it, it requests tickets for the files
 * that are sent next as well, which `requestTicket` combines into one call. Once the event is closed, it throws instead.
 */
export const createTicketRequests = (requestTicket: UploadCalls['requestTicket'], now: () => number) => {
  const requests = new WeakMap<File, TicketRequest>()
  let mayAskAhead = true

  const request = (file: File, credit: string): TicketRequest => {
    const { name, size, lastModified } = file
    const requestedAt = now()
    const answer = requestTicket({ credit, file: { name, size, lastModified } }).then((created) => ({
      created,
      requestedAt,
    }))
    const created = { credit, answer, isTaken: false }
    requests.set(file, created)
    answer.catch((error: unknown) => {
      if (requests.get(file) === created) requests.delete(file)
      // The guest may not have so many open tickets: from now on each file asks when it is sent.
      if (error instanceof ApiError && error.status === 429) mayAskAhead = false
    })
    return created
  }

  const requestAhead = ({ credit, selected }: TicketOptions): void => {
    let files = 1
    let bytes = 0
    for (const { file, status } of selected()) {
      if (status !== 'queued' && status !== 'sending') continue
      if (requests.get(file)?.credit === credit) continue
      files += 1
      bytes += file.size
      if (files > MAX_FILES_PER_CALL || bytes > MAX_BYTES_AHEAD) return
      request(file, credit)
    }
  }

  return (file: File, options: TicketOptions): Promise<RequestedTicket> => {
    const { credit, closedError } = options
    let own = requests.get(file)
    if (own?.credit !== credit || own.isTaken) {
      if (closedError) throw closedError
      own = request(file, credit)
      if (mayAskAhead) requestAhead(options)
    }
    own.isTaken = true
    return own.answer
  }
}
