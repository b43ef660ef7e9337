import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Deps } from '../deps.ts'
import { DELETED_KEPT_MS, type ChangedUpload } from '../upload.ts'

/** What is known of the latest changes of an event's uploads. */
export interface Changes {
  /** Names all of it, the same on each replica once what is written at the same time has been read. */
  tag: string
  /** A client that knows it knows all of it. */
  version: string
  /** What may have changed after a version; undefined if that is unknown or too old. */
  since: (version: string) => ChangedUpload[] | undefined
  /** For what is made of it, and only as long as nothing changes. */
  cache: LRUCache<string, Promise<object>>
}

interface Log {
  /** The latest changes, the latest first. */
  uploads: ChangedUpload[]
  /** All changes after this time are in `uploads`. */
  from: number
  changes: Changes
  readAt: number
  reading: Promise<void> | undefined
  /** Whether this replica has written something since it last began to read. */
  isOutdated: boolean
}

/**
 * What is older, of a client or a replica, may have what was deleted since: its record may be gone. The clocks of replicas
 * differ.
 */
export const MAX_KNOWLEDGE_AGE_MS = DELETED_KEPT_MS - 3_600_000
// Of an event. A client that has missed more loads the first page.
const MAX_CHANGES = 500
/**
 * How much later than its time a change may be found: clocks of replicas differ, and writes take time. One that takes longer
 * gets another time when its message is published (`getLateFields`).
 */
const OVERLAP_MS = 10_000
const MAX_CACHED_PAGES = 8

const newestOf = ([newest]: readonly ChangedUpload[]): number => newest?.changedAt ?? 0

const toChanges = (uploads: readonly ChangedUpload[], from: number): Changes => {
  const newest = newestOf(uploads)
  const hash = createHash('sha256')
  for (const { _id, changedAt } of uploads)
    if (changedAt > newest - OVERLAP_MS) hash.update(`${_id}${changedAt};`)
  return {
    tag: hash.digest('base64url').slice(0, 22),
    version: newest.toString(36),
    since: (version) => {
      const known = Number.parseInt(version, 36)
      // A later one is of a database that was restored since.
      const isKnown = known.toString(36) === version && known >= from && known <= newest + OVERLAP_MS
      if (!isKnown) return undefined
      return uploads.filter(({ changedAt }) => changedAt > known - OVERLAP_MS)
    },
    cache: new LRUCache({ max: MAX_CACHED_PAGES }),
  }
}

const newLog = (): Log => ({
  uploads: [],
  from: -1,
  changes: toChanges([], -1),
  readAt: -Infinity,
  reading: undefined,
  isOutdated: true,
})

/**
 * The latest changes of events' uploads, which a replica reads from the database when it is asked, at most once at a time
 * for each event. However many clients ask, an event costs a small query for each time that an answer may be old.
 */
export const createChangeLogs = (
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  listChanged: Deps['uploads']['listChanged'],
) => {
  const logs = new LRUCache<string, Log>({ max: config.MAX_CACHED_EVENTS })

  const read = async (eventId: string, log: Log): Promise<void> => {
    const startedAt = clock().getTime()
    log.isOutdated = false
    const after = new Date(newestOf(log.uploads) - OVERLAP_MS)
    const changed = await listChanged(eventId, after, MAX_CHANGES + 1)
    log.readAt = startedAt
    const ids = new Set(changed.map(({ _id }) => _id))
    const all = [...changed, ...log.uploads.filter(({ _id }) => !ids.has(_id))].toSorted(
      (a, b) => b.changedAt - a.changedAt,
    )
    const kept = all.slice(0, MAX_CHANGES)
    const dropped = all[MAX_CHANGES]
    const from = Math.max(log.from, dropped?.changedAt ?? -1)
    const changes = toChanges(kept, from)
    // What was made of the same is still true.
    if (changes.tag === log.changes.tag) return
    Object.assign(log, { uploads: kept, from, changes })
  }

  const readOnce = (eventId: string, log: Log): Promise<void> => {
    log.reading ??= read(eventId, log).finally(() => {
      log.reading = undefined
    })
    return log.reading
  }

  const findLog = (eventId: string): Log | undefined => {
    const log = logs.get(eventId)
    const isRecent =
      log && (log.reading !== undefined || clock().getTime() - log.readAt < MAX_KNOWLEDGE_AGE_MS)
    return isRecent ? log : undefined
  }

  return {
    /**
     * The changes of an event as they were at most `maxAgeMs` ago, and those that this replica has written; with 0 all that
     * were written before the call.
     */
    read: async (eventId: string, maxAgeMs: number): Promise<Changes> => {
      const log = findLog(eventId) ?? newLog()
      logs.set(eventId, log)
      const mustRead = maxAgeMs === 0 || log.isOutdated
      if (!mustRead && clock().getTime() - log.readAt < maxAgeMs) return log.changes
      // One that has begun may not see what was written since.
      if (mustRead) await log.reading?.catch(() => undefined)
      await readOnce(eventId, log)
      return log.changes
    },

    /** This replica has changed what an upload of an event looks like: the next answer has it. */
    noteChange: (eventId: string): void => {
      const log = logs.peek(eventId)
      if (log) log.isOutdated = true
    },
  }
}
