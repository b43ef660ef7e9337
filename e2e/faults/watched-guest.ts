import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUploads, errorBody } from '@confetti/contracts'
import { HANG_MS } from '@confetti/test-kit'
import { exchange, type Answer } from './exchange.ts'
import type { GuestFile } from './guest-file.ts'
import type { Ledger } from './ledger.ts'
import type { Seen } from './seen.ts'
import type { Violation } from './violations.ts'

// How long a guest keeps trying with the page open, as ours does, before the scenario is called a failure.
const PATIENCE_MS = 240_000
const passing = [408, 429, 502, 503, 504]

interface Deps {
  /** The gateway. */
  api: string
  eventId: string
  credit: string
  ledger: Ledger
  onSeen: (seen: Seen, what: string, hangMs: number) => void
  onViolation: (violation: Violation) => void
  hangMs?: number
  /** What the gateway gave this guest to be told apart by, if it did. */
  guestToken?: string
}

export interface WatchedGuest {
  /** Sends a file once; resolves with what the guest sees, and has it in the ledger if it was acknowledged. */
  send: (file: GuestFile) => Promise<Seen>
  /**
   * Sends it as our page does: what may pass is waited for and sent again, with the same bytes. Resolves with all that
   * the guest has seen on the way.
   */
  sendUntilKept: (file: GuestFile) => Promise<Seen[]>
  close: () => void
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A guest with one connection, who notes all that is seen and complains of what no guest should see. */
export const watchGuest = (deps: Deps): WatchedGuest => {
  const { eventId, credit, ledger, onSeen, onViolation, hangMs = HANG_MS } = deps
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let closed = false

  const acknowledge = (file: GuestFile, text: string): void => {
    const body = createUploads.responses[201].safeParse(parsed(text))
    const [upload] = body.success ? body.data.uploads : []
    if (!upload) {
      onViolation({ kind: 'answer', what: `201 for ${file.name} of ${credit} with ${text.slice(0, 300)}` })
      return
    }
    if (upload.sha256 !== file.sha256 || upload.size !== file.size)
      onViolation({ kind: 'answer', what: `201 for ${file.name} of ${credit} names other bytes` })
    const { size, sha256, name: originalName } = file
    ledger.record({ uploadId: upload._id, eventId, credit, originalName, size, sha256 })
  }

  const read = ({ status, retryAfter, text }: Answer, file: GuestFile, ms: number): Seen => {
    const complain = (what: string): void =>
      onViolation({
        kind: 'answer',
        what: `${status} for ${file.name} of ${credit} ${what}: ${text.slice(0, 300)}`,
      })
    if (status === 201) {
      acknowledge(file, text)
      return { lost: false, ms, status, code: '', message: '' }
    }
    const body = errorBody.safeParse(parsed(text))
    if (!body.success) complain('is not our error body')
    if (status < 400) complain('is neither a yes nor a no')
    if (status >= 500 && !passing.includes(status)) complain('blames nobody whom the guest could wait for')
    if (status === 503 && retryAfter === undefined) complain('does not say when to come again')
    const { code, message } = body.success ? body.data : { code: 'unknown', message: '' }
    return { lost: false, ms, status, code, message, ...(retryAfter && { retryAfter: Number(retryAfter) }) }
  }

  const send = async (file: GuestFile): Promise<Seen> => {
    ledger.noteSent({ eventId, credit, sha256: file.sha256 })
    const started = performance.now()
    const answer = await exchange({ ...deps, agent, file, signal: AbortSignal.timeout(hangMs) })
    const ms = performance.now() - started
    const seen: Seen = answer ? read(answer, file, ms) : { lost: true, ms }
    onSeen(seen, `${file.name} of ${credit}`, hangMs)
    return seen
  }

  return {
    send,
    sendUntilKept: async (file) => {
      const giveUpAt = Date.now() + PATIENCE_MS
      const onTheWay: Seen[] = []
      for (;;) {
        const seen = await send(file)
        onTheWay.push(seen)
        if (!seen.lost && seen.status === 201) return onTheWay
        if (!seen.lost && !passing.includes(seen.status))
          throw new Error(`${file.name} of ${credit} was refused: ${seen.status} ${seen.message}`)
        if (closed || Date.now() > giveUpAt)
          throw new Error(`${file.name} of ${credit} was not kept within ${PATIENCE_MS / 1_000} s`)
        await sleep(((seen.lost ? undefined : seen.retryAfter) ?? 0.2) * 1_000)
      }
    },
    close: () => {
      closed = true
      agent.destroy()
    },
  }
}
