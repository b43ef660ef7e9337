import type { Deps } from '../deps.ts'

/** How often the mark is written. */
export const MARK_INTERVAL_MS = 60_000
// Longer than a write may be delayed, and than a failover of the database loses.
export const MAX_LAG_MS = 5 * 60_000

type DatabaseMark = Awaited<ReturnType<Deps['highWaterMark']['read']>>
type Mark = NonNullable<DatabaseMark>

/** Whether the container has the time that the last write to the database has found there. */
const isOnItsWay = ({ containerAt }: Mark, container: Date | undefined): boolean =>
  containerAt?.getTime() === container?.getTime()

/**
 * Whether the database or the container was restored from a backup, or is another one: one of the times is missing, or older
 * by more than five minutes. Not if the container has the time that the last write to the database has found there, as that
 * write may not have reached the container.
 */
export const areApart = (database: DatabaseMark, container: Date | undefined): boolean => {
  if (!database) return container !== undefined
  if (isOnItsWay(database, container)) return false
  return !container || Math.abs(container.getTime() - database.at.getTime()) > MAX_LAG_MS
}

/**
 * Recognises a restore. A time is written to the database and to the container every minute. A database whose time is older
 * lacks the records of photos that were acknowledged since. If it is the container's, or one has none, what the database
 * lacks is not known. Then nothing without a record may be removed, and nothing that guests had taken back, until an operator
 * has recovered what is there (`recover-uploads.ts`), which brings the times together.
 */
export const createRestoredDatabase = ({ highWaterMark, blobs, clock, metrics, logger }: Deps) => {
  /** The times of both: the container's first, as the database's is written first. */
  const readMarks = async () => {
    const container = await blobs.readHighWaterMark()
    return { container, database: await highWaterMark.read() }
  }

  return {
    /** Whether nothing may be removed that this database does not know, or may not know to be restored. */
    isRestored: async (): Promise<boolean> => {
      const { database, container } = await readMarks()
      return areApart(database, container)
    },

    /** Writes the current time to both, unless one was restored. */
    advance: async (): Promise<void> => {
      const { database, container: found } = await readMarks()
      const isRestored = areApart(database, found)
      metrics.databaseRestored(isRestored)
      if (isRestored) {
        logger.error(
          { database: database?.at, container: found },
          'database and blobs are not of the same time: nothing without a record, or taken back by its guest, is removed until npm run recover:uploads',
        )
        return
      }
      let container = found
      // The next time is written when the last one has reached the container. Of two that are on their way, the older one
      // could arrive, when the database has the newer one and neither is what it has found there.
      if (database && isOnItsWay(database, container)) {
        if (!(await blobs.replaceHighWaterMark(container, database.at))) return
        container = database.at
      }
      const now = clock()
      // Another replica has a faster clock.
      if (database && now <= database.at) return
      // Not if the database was restored just now, or another replica has written it.
      const isReplaced = await highWaterMark.replace(database?.at, { at: now, containerAt: container })
      if (isReplaced) await blobs.replaceHighWaterMark(container, now)
    },
  }
}
export type RestoredDatabase = ReturnType<typeof createRestoredDatabase>
