import { ApiError, untilAborted } from '@confetti/api-client'
import type { Transfer } from '@confetti/contracts'
import type { SendOptions } from '../send-queue.ts'
import { sendBlocks, type SendBlocksDeps } from './send-blocks.ts'
import type { RequestedTicket, TicketOptions } from './request-tickets.ts'
import type { UploadCalls } from './upload-calls.ts'

const MAX_FAILURES = 2

/**
 * Creates the record of whether blob storage can be reached. It is blocked when two sends in a row got no response, each
 * followed by a call to the API that succeeded: then the device is not offline. Sends of the same moment count once.
 */
export const createStorageAccess = (now: () => number) => {
  let failures = 0
  let lastFailureAt = -Infinity

  return {
    isBlocked: (): boolean => failures >= MAX_FAILURES,

    /** Records a send that started at `startedAt` and got no response, although the API responded after it. */
    recordFailure: (startedAt: number): void => {
      if (startedAt < lastFailureAt) return
      failures += 1
      lastFailureAt = now()
    },

    /** Records that the storage responded. */
    recordResponse: (): void => {
      if (failures < MAX_FAILURES) failures = 0
    },
  }
}

/** Whether a request got no response. */
const isNetworkError = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 0

type StorageAccess = ReturnType<typeof createStorageAccess>

/** What is known about a file that is being sent. It outlives failed attempts. */
export interface OpenTicket {
  ticket: string
  credit: string
  uploadId: string
  /** Undefined where a new link is needed. */
  transfer: Transfer | undefined
  /** When the link in `transfer` was requested. */
  linkedAt: number
  /** The ids of the blocks that have arrived. */
  received: Set<string>
  /** Whether all bytes have been sent, so that only the completion is missing. */
  isSent: boolean
}

export interface DirectUploadDeps extends SendBlocksDeps {
  calls: UploadCalls
  /** Returns a new ticket for a file, from a call that may have been made for files before it. */
  takeTicket: (file: File, options: TicketOptions) => Promise<RequestedTicket>
  /** Whether a file with this hash was sent before. The server knows whether it is still there. */
  wasSent: (sha256: string) => boolean
  rememberSent: (sha256: string) => void
  storageAccess: StorageAccess
  hashFile: (file: File, signal: AbortSignal) => Promise<string | undefined>
  isReadable: (file: File) => Promise<boolean>
  now: () => number
  /** Returns the open ticket of a file, from an earlier attempt or an earlier visit of the page. */
  findTicket: (file: File, credit: string) => Promise<OpenTicket | undefined>
  saveTicket: (file: File, ticket: OpenTicket) => void
  removeTicket: (file: File) => void
}

/** `unavailable`: the file can only be sent by multipart. */
export type DirectOutcome = 'sent' | 'unavailable'

/** How often link, bytes and completion are tried, before the refusal of blob storage counts as permanent. */
const MAX_ROUNDS = 5
const RECHECK_DELAY_MS = 1_000
/** Links live for an hour. By the age, as the clock of the device may be wrong. */
const MAX_LINK_AGE_MS = 45 * 60_000

// Of a call with other files, which the server may have stored: one for a single file has this status itself.
const rejectedError = (rejected: { code: string; message: string }): ApiError =>
  new ApiError(rejected.code === 'event_closed' ? 410 : 400, rejected)

/**
 * Sends a file straight to blob storage: ticket, bytes, completion. Rejects with an `ApiError`; if that is retryable, the
 * next call continues where this one stopped.
 */
export const runDirectUpload = async (
  file: File,
  { signal, onProgress, onBytesSent, isOtherSending, ...ticketOptions }: SendOptions,
  deps: DirectUploadDeps,
): Promise<DirectOutcome> => {
  const { calls, storageAccess } = deps
  const { credit } = ticketOptions

  /** The ticket does not wait for the hash, which the completion declares. A file that was sent before asks with its hash. */
  const requestTicket = async (): Promise<RequestedTicket> => {
    const [requested, sha256] = await untilAborted(
      Promise.all([deps.takeTicket(file, ticketOptions), deps.hashFile(file, signal)]),
      signal,
    )
    // A closed event gives no second ticket.
    if (!sha256 || !deps.wasSent(sha256) || ticketOptions.closedError) return requested
    const { name, size, lastModified } = file
    const requestedAt = deps.now()
    const declared = { name, size, lastModified, sha256 }
    return {
      created: await untilAborted(calls.requestTicket({ credit, file: declared }), signal),
      requestedAt,
    }
  }

  /** Returns undefined if the server has the file already. */
  const openNewTicket = async (): Promise<OpenTicket | undefined> => {
    const { created, requestedAt: linkedAt } = await requestTicket()
    if (created.outcome === 'duplicate') return undefined
    if (created.outcome === 'rejected') throw rejectedError(created)
    const { ticket, uploadId, transfer } = created
    const open = { ticket, credit, uploadId, transfer, linkedAt, received: new Set<string>(), isSent: false }
    deps.saveTicket(file, open)
    return open
  }

  /** Gets a new link. Returns whether the server has the file already, or the ticket has expired. */
  const resume = async (open: OpenTicket): Promise<'resumed' | 'done' | 'expired'> => {
    const linkedAt = deps.now()
    const resumed = await untilAborted(calls.resume(open.ticket), signal)
    if (resumed.outcome === 'done') return 'done'
    if (resumed.outcome === 'rejected') return 'expired'
    const { ticket, uploadId, transfer } = resumed
    const received = new Set(transfer.kind === 'blocks' ? transfer.received : [])
    Object.assign(open, { ticket, uploadId, transfer, linkedAt, received, isSent: false })
    deps.saveTicket(file, open)
    return 'resumed'
  }

  const sendBytes = async (
    { received }: OpenTicket,
    transfer: Transfer,
    onBytes: (sentBytes: number, arrivedBytes: number) => void,
  ): Promise<void> => {
    if (transfer.kind === 'blocks')
      return sendBlocks(file, { transfer, received, signal, onProgress: onBytes }, deps)
    const { url, headers } = transfer
    await deps.putBlob({ url, headers, body: file, signal, onProgress: (bytes) => onBytes(bytes, 0) })
  }

  /** Sends the bytes. Returns whether to complete the upload, or to try again. */
  const trySendBytes = async (open: OpenTicket, transfer: Transfer): Promise<'sent' | 'retry'> => {
    const startedAt = deps.now()
    // The bytes sent now that had not arrived before. If there are any, blob storage can be reached.
    let newBytes = 0
    try {
      await sendBytes(open, transfer, (sentBytes, arrivedBytes) => {
        newBytes = Math.max(newBytes, sentBytes - arrivedBytes)
        onProgress(sentBytes, arrivedBytes)
      })
      storageAccess.recordResponse()
      return 'sent'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!isNetworkError(error)) storageAccess.recordResponse()
      // The links of small files write once: they are refused when the blob is there already, or when they have expired.
      // The completion shows which.
      if (transfer.kind === 'single' && [403, 409].includes(error.status)) return 'sent'
      if (error.isRetryable && (newBytes > 0 || !isNetworkError(error))) throw error
      open.transfer = undefined
      if (isNetworkError(error)) await checkStorageAccess(open, startedAt, error)
      return 'retry'
    }
  }

  /** Gets a new link. Rejects if the API does not respond either: the queue waits until the device is online. */
  const checkStorageAccess = async (open: OpenTicket, startedAt: number, error: ApiError): Promise<void> => {
    // An error of the file itself, or of the network as a whole.
    if (!deps.isOnline() || !(await deps.isReadable(file))) throw error
    await resume(open)
    storageAccess.recordFailure(startedAt)
    if (!storageAccess.isBlocked()) await deps.wait(RECHECK_DELAY_MS, signal)
    signal.throwIfAborted()
  }

  for (let round = 1; round <= MAX_ROUNDS && !storageAccess.isBlocked(); round += 1) {
    const open = (await deps.findTicket(file, credit)) ?? (await openNewTicket())
    if (!open) return 'sent'
    if (deps.now() - open.linkedAt > MAX_LINK_AGE_MS) open.transfer = undefined
    if (!open.isSent && !open.transfer) {
      const state = await resume(open)
      if (state === 'done') return 'sent'
      if (state === 'expired') {
        deps.removeTicket(file)
        continue
      }
    }
    if (!open.isSent && open.transfer) {
      if ((await trySendBytes(open, open.transfer)) === 'retry') continue
      open.isSent = true
      deps.saveTicket(file, open)
    }
    onProgress(file.size, file.size)
    onBytesSent()
    const sha256 = await deps.hashFile(file, signal)
    const completion = await untilAborted(calls.complete({ ...open, sha256 }, !isOtherSending()), signal)
    if (completion.outcome === 'done') {
      if (sha256) deps.rememberSent(sha256)
      return 'sent'
    }
    if (completion.code === 'incomplete') Object.assign(open, { transfer: undefined, isSent: false })
    else if (completion.code === 'expired') deps.removeTicket(file)
    else throw rejectedError(completion)
  }
  return 'unavailable'
}
