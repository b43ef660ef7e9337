import { createNetworkError, withTimeout, type ApiClient } from '@confetti/api-client'
import type { DeclaredFile, NewTicket, ResumedTicket } from '@confetti/contracts'
import { readConsent } from '../upload-history.ts'

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Combines single calls into calls for several items. The first item waits `gatherMs` for others, or until an item is
 * added with `isLast`. One call is in flight at a time: items that arrive meanwhile wait for the next one. `callBatch` returns the results in the order of its items. If it rejects, all its items reject.
 */
export const batchCalls = <Item, Result>(
  callBatch: (items: readonly Item[]) => Promise<readonly Result[]>,
  maxItems: number,
  gatherMs = 0,
): ((item: Item, isLast?: boolean) => Promise<Result>) => {
  let waiting: readonly Waiting<Item, Result>[] = []
  let isActive = false
  let endGathering = (): void => undefined

  const callNext = async (): Promise<void> => {
    const batch = waiting.slice(0, maxItems)
    waiting = waiting.slice(maxItems)
    try {
      const results = await callBatch(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const callAll = async (): Promise<void> => {
    isActive = true
    await new Promise<void>((resolve) => {
      // At least until the items of the same moment are there, such as all files that need a ticket.
      endGathering = () => void setTimeout(resolve, 0)
      setTimeout(resolve, gatherMs)
    })
    while (waiting.length > 0) await callNext()
    isActive = false
  }

  return (item, isLast = false) =>
    new Promise((resolve, reject) => {
      waiting = [...waiting, { item, resolve, reject }]
      if (!isActive) void callAll()
      if (isLast) endGathering()
    })
}

/** The API accepts as many in one call. */
export const MAX_FILES_PER_CALL = 100
/** How long a file that has been sent waits at most for those that are being sent, to be completed in one call with them. */
export const GATHER_COMPLETIONS_MS = 300
/** Longer than the server takes at most. */
const CALL_TIMEOUT_MS = 30_000

export type Completion = { outcome: 'done' } | { outcome: 'rejected'; code: string; message: string }

/** A ticket whose file has been sent. */
interface SentTicket {
  ticket: string
  uploadId: string
  /** Undefined where it cannot be computed: the server does it then. */
  sha256: string | undefined
}

export interface UploadCalls {
  requestTicket: (request: { credit: string; file: DeclaredFile }) => Promise<NewTicket>
  /** `isLast`: no other file is being sent, so the call does not wait for more. */
  complete: (sent: SentTicket, isLast: boolean) => Promise<Completion>
  resume: (ticket: string) => Promise<ResumedTicket>
}

const call = <T>(send: (options: { signal: AbortSignal; asGuest: true; quiet: true }) => Promise<T>) =>
  withTimeout(CALL_TIMEOUT_MS, createNetworkError, (signal) => send({ signal, asGuest: true, quiet: true }))

/** Creates the calls about tickets of an event. Files that are ready at the same time share a call. */
export const createUploadCalls = (eventId: string, api: Pick<ApiClient, 'post'>): UploadCalls => {
  const requestTickets = async (
    photoCredit: string,
    files: readonly DeclaredFile[],
  ): Promise<readonly NewTicket[]> => {
    const body = { eventId, photoCredit, consentVersion: readConsent(eventId), files: [...files] }
    return (await call((options) => api.post('/api/uploads/tickets', { body, ...options }))).tickets
  }

  const completeAll = async (sent: readonly SentTicket[]): Promise<readonly Completion[]> => {
    const body = { tickets: sent.map(({ ticket, sha256 }) => (sha256 ? { ticket, sha256 } : ticket)) }
    const response = await call((options) => api.post('/api/uploads/completions', { body, ...options }))
    return sent.map(({ uploadId }): Completion => {
      if (response.uploads.some((upload) => upload.uploadId === uploadId)) return { outcome: 'done' }
      const rejected = response.rejected.find((each) => each.uploadId === uploadId)
      // The server does not name the upload of a ticket that it cannot read.
      return { outcome: 'rejected', code: 'expired', message: 'The upload has expired.', ...rejected }
    })
  }

  const resumeAll = async (tickets: readonly string[]): Promise<readonly ResumedTicket[]> => {
    const body = { tickets: [...tickets] }
    return (await call((options) => api.post('/api/uploads/resumptions', { body, ...options }))).tickets
  }

  // One batch for each credit, because a call has one.
  const ticketCallsByCredit = new Map<string, (file: DeclaredFile) => Promise<NewTicket>>()
  const getTicketCall = (credit: string): ((file: DeclaredFile) => Promise<NewTicket>) => {
    const existing = ticketCallsByCredit.get(credit)
    if (existing) return existing
    const created = batchCalls(
      (files: readonly DeclaredFile[]) => requestTickets(credit, files),
      MAX_FILES_PER_CALL,
    )
    ticketCallsByCredit.set(credit, created)
    return created
  }

  return {
    requestTicket: ({ credit, file }) => getTicketCall(credit)(file),
    complete: batchCalls(completeAll, MAX_FILES_PER_CALL, GATHER_COMPLETIONS_MS),
    resume: batchCalls(resumeAll, MAX_FILES_PER_CALL),
  }
}
