import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUploads, errorBody } from '@confetti/contracts'
import { HANG_TIMEOUT_MS } from '@confetti/test-kit'
import type { CallResult } from './call-result.ts'
import type { GuestFile } from './guest-file.ts'
import type { Violation } from './invariant-violations.ts'
import { sendUpload, type UploadResponse } from './send-upload.ts'
import type { UploadLog } from './upload-log.ts'

// After this long, a guest who keeps retrying makes the scenario fail.
const RETRY_TIMEOUT_MS = 240_000
const retryableStatuses = [408, 429, 502, 503, 504]

interface Deps {
  /** The URL of the gateway. */
  api: string
  eventId: string
  credit: string
  uploadLog: UploadLog
  onResult: (result: CallResult, what: string, hangMs: number) => void
  onViolation: (violation: Violation) => void
  hangMs?: number
  /** The guest token that the gateway issued, if it did. */
  guestToken?: string
}

export interface SimulatedGuest {
  /** Sends a file once. Resolves with the result, and adds the file to the upload log if it was acknowledged. */
  send: (file: GuestFile) => Promise<CallResult>
  /**
   * Sends a file as the guest's page does: retryable failures are retried, with the same bytes. Resolves with the
   * results of all attempts.
   */
  sendUntilStored: (file: GuestFile) => Promise<CallResult[]>
  close: () => void
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Creates a guest with one connection, who reports every result, and a violation for each invalid response. */
export const createSimulatedGuest = (deps: Deps): SimulatedGuest => {
  const { eventId, credit, uploadLog, onResult, onViolation, hangMs = HANG_TIMEOUT_MS } = deps
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let closed = false

  const recordAcknowledged = (file: GuestFile, text: string): void => {
    const body = createUploads.responses[201].safeParse(parseJson(text))
    const [upload] = body.success ? body.data.uploads : []
    if (!upload) {
      onViolation({ kind: 'response', what: `201 for ${file.name} of ${credit} with ${text.slice(0, 300)}` })
      return
    }
    if (upload.sha256 !== file.sha256 || upload.size !== file.size)
      onViolation({ kind: 'response', what: `201 for ${file.name} of ${credit} names other bytes` })
    const { size, sha256, name: originalName } = file
    uploadLog.recordAcknowledged({ uploadId: upload._id, eventId, credit, originalName, size, sha256 })
  }

  const checkResponse = (
    { status, retryAfter, text }: UploadResponse,
    file: GuestFile,
    ms: number,
  ): CallResult => {
    const reportInvalid = (problem: string): void =>
      onViolation({
        kind: 'response',
        what: `${status} for ${file.name} of ${credit} ${problem}: ${text.slice(0, 300)}`,
      })
    if (status === 201) {
      recordAcknowledged(file, text)
      return { connectionLost: false, ms, status, code: '', message: '' }
    }
    const body = errorBody.safeParse(parseJson(text))
    if (!body.success) reportInvalid('does not have the error body of the contract')
    if (status < 400) reportInvalid('is neither 201 nor an error')
    if (status >= 500 && !retryableStatuses.includes(status)) reportInvalid('is not retryable')
    if (status === 503 && retryAfter === undefined) reportInvalid('has no Retry-After')
    const { code, message } = body.success ? body.data : { code: 'unknown', message: '' }
    return {
      connectionLost: false,
      ms,
      status,
      code,
      message,
      ...(retryAfter && { retryAfter: Number(retryAfter) }),
    }
  }

  const send = async (file: GuestFile): Promise<CallResult> => {
    uploadLog.recordSent({ eventId, credit, sha256: file.sha256 })
    const startedAt = performance.now()
    const response = await sendUpload({ ...deps, agent, file, signal: AbortSignal.timeout(hangMs) })
    const ms = performance.now() - startedAt
    const result: CallResult = response ? checkResponse(response, file, ms) : { connectionLost: true, ms }
    onResult(result, `${file.name} of ${credit}`, hangMs)
    return result
  }

  return {
    send,
    sendUntilStored: async (file) => {
      const deadline = Date.now() + RETRY_TIMEOUT_MS
      const results: CallResult[] = []
      for (;;) {
        const result = await send(file)
        results.push(result)
        if (!result.connectionLost && result.status === 201) return results
        if (!result.connectionLost && !retryableStatuses.includes(result.status))
          throw new Error(`${file.name} of ${credit} was rejected: ${result.status} ${result.message}`)
        if (closed || Date.now() > deadline)
          throw new Error(`${file.name} of ${credit} was not stored within ${RETRY_TIMEOUT_MS / 1_000} s`)
        await sleep(((result.connectionLost ? undefined : result.retryAfter) ?? 0.2) * 1_000)
      }
    },
    close: () => {
      closed = true
      agent.destroy()
    },
  }
}
