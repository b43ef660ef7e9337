import type { ArchiveEntry } from './archive-entry.ts'
import type { PageLengths } from './zip-layout.ts'

/** A stored list of files. Its id is a hash of the list: the same list is stored once. */
export interface Archive {
  _id: string
  eventId: string
  /** When its first link was created. */
  createdAt: Date
  /** When the last link to it expires. */
  expiresAt: Date
  pages: readonly PageLengths[]
}

export interface ArchiveStore {
  /** Stores an archive with its pages of entries. One that exists lives until the later `expiresAt`. */
  save: (archive: Archive, pages: readonly (readonly ArchiveEntry[])[]) => Promise<void>
  find: (archiveId: string) => Promise<Archive | undefined>
  /** A page of entries; undefined if the archive has been removed. */
  loadPage: (archiveId: string, index: number) => Promise<readonly ArchiveEntry[] | undefined>
  /** Removes all archives that expired before `before`. Returns how many. */
  removeExpired: (before: Date) => Promise<number>
}

/** The name under which a browser saves an archive. */
export const archiveFilename = (eventId: string): string => `Event_${eventId}.zip`
