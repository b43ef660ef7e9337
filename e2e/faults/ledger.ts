import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Upload } from '@confetti/contracts'
import { sha256 } from '../sha256.ts'
import { download, listUploads, type Stand } from '../stand.ts'
import type { Violation } from './violations.ts'

/** What a guest sends: these bytes, under this credit, to this event. */
export interface Sent {
  eventId: string
  credit: string
  sha256: string
}

/** What the system has promised to keep. */
export interface Acknowledged extends Sent {
  uploadId: string
  size: number
  originalName: string
}

export interface VerifyOptions {
  /** Whether there is a media worker that makes uploads `ready`. */
  processed?: boolean
  /** Names of files that no decoder can open; they end as `failed`, with a reason. */
  unfit?: readonly string[]
  /** How long the next of them may take to be ready, once all faults are over. */
  withinMs?: number
}

const PROCESSED_WITHIN_MS = 120_000
const READERS = 6

const contentOf = ({ credit, sha256: hash }: Pick<Sent, 'credit' | 'sha256'>): string =>
  `${hash} of ${credit}`

const hashAt = async (url: string): Promise<string> =>
  download(url).then(sha256, (error: unknown) => `not readable: ${String(error)}`)

/** The hash of what comes when each upload is downloaded. */
const downloaded = async (uploads: readonly Upload[]): Promise<Map<string, string>> => {
  const hashes = new Map<string, string>()
  const waiting = [...uploads]
  const read = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      hashes.set(next._id, await hashAt(next.url))
  }
  await Promise.all(Array.from({ length: READERS }, read))
  return hashes
}

/** The guests' own record of what was acknowledged to them, and the proof that it is all there. */
export const openLedger = (stand: Stand) => {
  const sent = new Map<string, Set<string>>()
  const acknowledged: Acknowledged[] = []

  const noteSent = ({ eventId, ...content }: Sent): void => {
    const contents = sent.get(eventId) ?? new Set()
    sent.set(eventId, contents.add(contentOf(content)))
  }

  const verifyKept = (each: Acknowledged, listed: readonly Upload[]): Violation[] => {
    const what = `${each.originalName} of ${each.credit}, acknowledged as ${each.uploadId}`
    const found = listed.filter(({ _id }) => _id === each.uploadId)
    const [upload] = found
    if (!upload) return [{ kind: 'lost', what }]
    if (found.length > 1) return [{ kind: 'twice', what }]
    const changes = [
      upload.sha256 !== each.sha256 && `its hash is ${upload.sha256}, not ${each.sha256}`,
      upload.size !== each.size && `its size is ${upload.size}, not ${each.size}`,
      upload.photoCredit !== each.credit && `it is credited to ${upload.photoCredit}`,
      upload.eventId !== each.eventId && `it is in event ${upload.eventId}`,
    ]
    return changes
      .filter((change) => change !== false)
      .map((how) => ({ kind: 'changed', what: `${what}: ${how}` }))
  }

  const verifyEvent = async (eventId: string): Promise<Violation[]> => {
    const listed = await listUploads(stand, eventId)
    const own = acknowledged.filter((each) => each.eventId === eventId)
    const violations = own.flatMap((each) => verifyKept(each, listed))
    const seen = new Set<string>()
    for (const { _id, photoCredit: credit, sha256: hash, originalName } of listed) {
      const content = contentOf({ credit, sha256: hash })
      const what = `${originalName} of ${credit}, listed as ${_id}`
      if (seen.has(content)) violations.push({ kind: 'twice', what })
      if (!sent.get(eventId)?.has(content)) violations.push({ kind: 'foreign', what })
      seen.add(content)
    }
    const hashes = await downloaded(listed)
    for (const { _id, sha256: hash, originalName } of listed)
      if (hashes.get(_id) !== hash)
        violations.push({ kind: 'lost', what: `the bytes of ${originalName}, ${_id}: ${hashes.get(_id)}` })
    return violations
  }

  /** What is not done within the time, or not as it should be. */
  const verifyProcessed = async ({
    unfit = [],
    withinMs = PROCESSED_WITHIN_MS,
  }: VerifyOptions): Promise<Violation[]> => {
    let done = 0
    let giveUpAt = Date.now() + withinMs
    for (;;) {
      const listed = (await Promise.all([...sent.keys()].map((id) => listUploads(stand, id)))).flat()
      const wrong = listed.filter(({ status, originalName, failureReason }) =>
        unfit.includes(originalName) ? status !== 'failed' || !failureReason : status !== 'ready',
      )
      const over = wrong.every(({ status }) => status !== 'processing')
      const doneNow = listed.filter(({ status }) => status !== 'processing').length
      if (doneNow > done) giveUpAt = Date.now() + withinMs
      done = doneNow
      if (over || Date.now() > giveUpAt)
        return wrong.map(({ _id, originalName, status, failureReason = '' }) => ({
          kind: 'stuck',
          what: `${originalName}, ${_id}, is ${status} ${failureReason}`.trim(),
        }))
      await sleep(250)
    }
  }

  return {
    /** To be called before a file leaves: what was sent may be listed, whether or not its answer arrived. */
    noteSent,
    record: (upload: Acknowledged): void => {
      noteSent(upload)
      // Who sends a file again is told of the same upload again.
      if (!acknowledged.some((each) => isDeepStrictEqual(each, upload))) acknowledged.push(upload)
    },
    /** It was deleted on purpose. */
    forget: (uploadId: string): void => {
      const at = acknowledged.findIndex((each) => each.uploadId === uploadId)
      const [gone] = acknowledged.splice(at, 1)
      if (gone) sent.get(gone.eventId)?.delete(contentOf(gone))
    },
    count: () => acknowledged.length,
    /**
     * Each acknowledged file is listed once in its own event, under its credit, and downloads as it was sent; nothing
     * is listed twice, or that nobody sent; everything listed is ready in the end. Resolves with what does not hold.
     */
    verify: async (options: VerifyOptions = {}): Promise<Violation[]> => {
      const late = options.processed === false ? [] : await verifyProcessed(options)
      const found = await Promise.all([...sent.keys()].map(verifyEvent))
      return [...found.flat(), ...late]
    },
  }
}
export type Ledger = ReturnType<typeof openLedger>
