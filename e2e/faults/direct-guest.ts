import { setTimeout as sleep } from 'node:timers/promises'
import {
  completeUploads,
  createUploadTickets,
  resumeUploads,
  type ResumedTicket,
  type RouteContract,
  type Transfer,
} from '@confetti/contracts'
import { HANG_TIMEOUT_MS, putBlock, putFile } from '@confetti/test-kit'
import type { CallResult } from './call-result.ts'
import { checkErrorResponse, isRetryable, parseJson } from './check-response.ts'
import { bytesOf, type GuestFile } from './guest-file.ts'
import type { ScenarioContext } from './run-scenario.ts'

// After this long, a guest who keeps retrying makes the scenario fail.
const RETRY_TIMEOUT_MS = 240_000
const DEFAULT_RETRY_SECONDS = 0.2

/** A file that a guest sends with a ticket. */
export interface DirectUpload {
  uploadId: string
  ticket: string
  transfer: Transfer
  file: GuestFile
  /** Of the file, unless the guest has declared another one. */
  declaredSha256: string
}

type Completion = ReturnType<(typeof completeUploads.responses)[201]['parse']>

interface CompletionResult {
  result: CallResult
  /** Absent if the call failed. */
  completion?: Completion
}

export interface DirectGuest {
  /** Asks for a ticket until there is one. Throws if the file has been stored already. */
  requestTicket: (file: GuestFile, declaredSha256?: string) => Promise<DirectUpload>
  /** Asks for a ticket, and sends the whole file to blob storage. Does not complete it. */
  put: (file: GuestFile, declaredSha256?: string) => Promise<DirectUpload>
  /** Completes files in one call, once. Adds those that were acknowledged to the upload log. */
  complete: (...uploads: DirectUpload[]) => Promise<CompletionResult>
  /** Gets a new link, and sends what has not arrived. Resolves with what the service answered. */
  resume: (upload: DirectUpload) => Promise<ResumedTicket>
  /** Completes a file until it is acknowledged. Where blocks are missing, it is resumed. */
  completeUntilStored: (upload: DirectUpload) => Promise<void>
  /** Sends a file as the guest's page does, until it is acknowledged. */
  sendUntilStored: (file: GuestFile) => Promise<void>
}

interface Options {
  /** The URL of the gateway. */
  api: string
  credit: string
  hangMs?: number
}

/** Creates a guest who sends files straight to blob storage, and reports every result. */
export const createDirectGuest = (
  { event, uploadLog, recordResult, reportViolation }: ScenarioContext,
  { api, credit, hangMs = HANG_TIMEOUT_MS }: Options,
): DirectGuest => {
  const eventId = event._id

  /** Makes a call. `body` is absent if it failed. */
  const post = async (
    { path, responses }: Pick<RouteContract, 'path' | 'responses'>,
    input: object,
    successStatus: number,
  ): Promise<{ result: CallResult; body?: unknown }> => {
    const what = `${path} of ${credit}`
    const startedAt = performance.now()
    const response = await fetch(new URL(path, api), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(hangMs),
    })
      .then(async (received) => ({
        status: received.status,
        retryAfter: received.headers.get('retry-after') ?? undefined,
        text: await received.text(),
      }))
      .catch(() => undefined)
    const ms = performance.now() - startedAt
    const finish = (result: CallResult): CallResult => {
      recordResult(result, what, hangMs)
      return result
    }
    if (!response) return { result: finish({ connectionLost: true, ms }) }
    const { status, text } = response
    if (status !== successStatus)
      return { result: finish(checkErrorResponse(response, { what, ms, onViolation: reportViolation })) }
    const result = finish({ connectionLost: false, ms, status, code: '', message: '' })
    const body = responses[successStatus]?.safeParse(parseJson(text))
    if (body?.success) return { result, body: body.data }
    reportViolation({ kind: 'response', what: `${status} for ${what} with ${text.slice(0, 300)}` })
    return { result }
  }

  const recordAcknowledged = (
    { file, declaredSha256 }: Pick<DirectUpload, 'file' | 'declaredSha256'>,
    stored: { _id: string; size: number; sha256: string },
  ): void => {
    const { name: originalName, size, sha256 } = file
    // A false hash is found out at once where another upload has it.
    if (![declaredSha256, sha256].includes(stored.sha256) || stored.size !== size)
      reportViolation({
        kind: 'response',
        what: `${originalName} of ${credit}: the answer names other bytes`,
      })
    uploadLog.recordAcknowledged({ uploadId: stored._id, eventId, credit, originalName, size, sha256 })
  }

  /** Makes a call as the guest's page does: until its result is not retryable. */
  const retry = async (makeCall: () => Promise<{ result: CallResult; body?: unknown }>): Promise<unknown> => {
    const deadline = Date.now() + RETRY_TIMEOUT_MS
    for (;;) {
      const { result, body } = await makeCall()
      if (body !== undefined) return body
      if (!isRetryable(result) || Date.now() > deadline)
        throw new Error(`${credit} gives up: ${JSON.stringify(result)}`)
      await waitAfter(result)
    }
  }

  const waitAfter = (result: CallResult): Promise<void> =>
    sleep(((result.connectionLost ? undefined : result.retryAfter) ?? DEFAULT_RETRY_SECONDS) * 1_000)

  /** A new ticket for a file; undefined if the file is acknowledged as a duplicate, so that nothing needs to be sent. */
  const createTicket = async (
    file: GuestFile,
    declaredSha256 = file.sha256,
  ): Promise<DirectUpload | undefined> => {
    uploadLog.recordSent({ eventId, credit, sha256: file.sha256 })
    const { name, size } = file
    const input = { eventId, photoCredit: credit, files: [{ name, size, sha256: declaredSha256 }] }
    const body = await retry(() => post(createUploadTickets, input, 201))
    const [created] = createUploadTickets.responses[201].parse(body).tickets
    if (created?.outcome === 'duplicate') {
      recordAcknowledged({ file, declaredSha256 }, created.upload)
      return undefined
    }
    if (created?.outcome !== 'send') throw new Error(`No ticket to send with: ${JSON.stringify(created)}`)
    const { uploadId, ticket, transfer } = created
    return { uploadId, ticket, transfer, file, declaredSha256 }
  }

  const requestTicket: DirectGuest['requestTicket'] = async (file, declaredSha256) => {
    const upload = await createTicket(file, declaredSha256)
    if (!upload) throw new Error(`${file.name} of ${credit} has been stored already`)
    return upload
  }

  const complete: DirectGuest['complete'] = async (...uploads) => {
    const input = { tickets: uploads.map(({ ticket }) => ticket) }
    const { result, body } = await post(completeUploads, input, 201)
    if (body === undefined) return { result }
    const completion = completeUploads.responses[201].parse(body)
    for (const stored of completion.uploads) {
      const upload = uploads.find(({ uploadId }) => uploadId === stored.uploadId)
      if (upload) recordAcknowledged(upload, stored)
    }
    return { result, completion }
  }

  const resume: DirectGuest['resume'] = async ({ ticket, file, declaredSha256 }) => {
    const body = await retry(() => post(resumeUploads, { tickets: [ticket] }, 200))
    const [resumed] = resumeUploads.responses[200].parse(body).tickets
    if (!resumed) throw new Error(`No answer for a ticket of ${credit}`)
    if (resumed.outcome === 'done') recordAcknowledged({ file, declaredSha256 }, resumed.upload)
    if (resumed.outcome !== 'send') return resumed
    const { transfer } = resumed
    const bytes = await bytesOf(file)
    if (transfer.kind === 'single') await putFile(transfer, bytes)
    else
      for (const [index, id] of transfer.blockIds.entries())
        if (!transfer.received.includes(id)) await putBlock(transfer, bytes, index)
    return resumed
  }

  const completeUntilStored: DirectGuest['completeUntilStored'] = async (upload) => {
    const deadline = Date.now() + RETRY_TIMEOUT_MS
    for (;;) {
      const { result, completion } = await complete(upload)
      if (completion && completion.uploads.length > 0) return
      const [rejected] = completion?.rejected ?? []
      if (rejected?.code === 'incomplete') await resume(upload)
      else if (rejected || !isRetryable(result) || Date.now() > deadline)
        throw new Error(`${credit} gives up: ${JSON.stringify(rejected ?? result)}`)
      await waitAfter(result)
    }
  }

  const putAll = async ({ transfer, file }: DirectUpload): Promise<void> => {
    const statuses = await putFile(transfer, await bytesOf(file))
    if (statuses.some((status) => status !== 201))
      throw new Error(`Blob storage answered ${statuses.join(', ')} to ${credit}`)
  }

  return {
    requestTicket,
    put: async (file, declaredSha256) => {
      const upload = await requestTicket(file, declaredSha256)
      await putAll(upload)
      return upload
    },
    complete,
    resume,
    completeUntilStored,
    sendUntilStored: async (file) => {
      const upload = await createTicket(file)
      if (!upload) return
      await putAll(upload)
      await completeUntilStored(upload)
    },
  }
}
