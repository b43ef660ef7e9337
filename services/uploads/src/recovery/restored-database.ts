import type { Deps } from '../deps.ts'

/** How often the mark is written. */
export const MARK_INTERVAL_MS = 60_000
// Longer than a write may be delayed, and than a failover of the database loses.
const MAX_LAG_MS = 5 * 60_000

/**
 * Recognises a database that was restored from a backup. A time is written to the database and to the container every
 * minute. A database whose time is older lacks the records of photos that were acknowledged since: nothing without a
 * record may be removed, until an operator has recovered them (`recover-uploads.ts`), which brings the times together.
 */
export const createRestoredDatabase = ({
  highWaterMark,
  blobs,
  clock,
  metrics,
  logger,
}: Pick<Deps, 'highWaterMark' | 'blobs' | 'clock' | 'metrics' | 'logger'>) => {
  const isBehind = (database: Date | undefined, container: Date | undefined): boolean =>
    container !== undefined && container.getTime() - (database?.getTime() ?? 0) > MAX_LAG_MS

  /** The times of both: the container's first, as the database's is written first. */
  const readMarks = async () => {
    const container = await blobs.readHighWaterMark()
    return { container, database: await highWaterMark.read() }
  }

  return {
    /** Whether the database is more than five minutes behind the container. */
    isBehind: async (): Promise<boolean> => {
      const { database, container } = await readMarks()
      return isBehind(database, container)
    },

    /** Writes the current time to both, unless the database is behind. */
    advance: async (): Promise<void> => {
      const { database, container } = await readMarks()
      metrics.databaseBehind(isBehind(database, container))
      if (isBehind(database, container)) {
        logger.error(
          { database, container },
          'the database is older than the blobs: nothing without a record is removed until npm run recover:uploads',
        )
        return
      }
      const now = clock()
      // Another replica has a faster clock.
      if (database && now <= database) return
      // Not if the database was restored just now, or another replica has written it.
      if (await highWaterMark.replace(database, now)) await blobs.writeHighWaterMark(now)
    },
  }
}
export type RestoredDatabase = ReturnType<typeof createRestoredDatabase>
