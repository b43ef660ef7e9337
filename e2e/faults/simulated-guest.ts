import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUploads } from '@confetti/contracts'
import { HANG_TIMEOUT_MS } from '@confetti/test-kit'
import type { CallResult } from './call-result.ts'
import { checkErrorResponse, isRetryable, parseJson, type GuestResponse } from './check-response.ts'
import type { GuestFile } from './guest-file.ts'
import type { Violation } from './invariant-violations.ts'
import { sendUpload } from './send-upload.ts'
import type { UploadLog } from './upload-log.ts'

// After this long, a guest who keeps retrying makes the scenario fail.
const RETRY_TIMEOUT_MS = 240_000

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

  const checkResponse = (response: GuestResponse, file: GuestFile, ms: number): CallResult => {
    const { status, text } = response
    if (status !== 201)
      return checkErrorResponse(response, { what: `${file.name} of ${credit}`, ms, onViolation })
    recordAcknowledged(file, text)
    return { connectionLost: false, ms, status, code: '', message: '' }
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
        if (!result.connectionLost && !isRetryable(result))
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
