import { gone } from '@confetti/service-kit'
import type { PageLengths } from './zip-layout.ts'

/** A file of an archive. */
export interface ArchiveEntry {
  uploadId: string
  /** Its path in the archive, with `/` between a folder and the name. */
  name: string
  /** In bytes. */
  size: number
  crc32: number
  modified: EntryTime
}

/** When a file was made, as far as it is known. */
export interface EntryTime {
  /** The time on the clock of the camera: `2026-05-01T18:30:00`. */
  local: string
  /** Seconds since 1970, UTC. Absent if the camera's time zone is unknown. */
  unixSeconds?: number
}

/** A stored list of files. Its id is a hash of the list: the same list is stored once. */
export interface Archive {
  _id: string
  eventId: string
  /** Signs its links, together with the secret. */
  linkKey: string
  /** When its first link was created. */
  createdAt: Date
  /** When the last link to it expires. */
  expiresAt: Date
  pages: readonly PageLengths[]
}

export interface ArchiveStore {
  /**
   * Stores an archive with its pages of entries and returns it. One that exists keeps its link key and lives until the
   * later `expiresAt`. Throws `unavailable` while it is being removed.
   */
  save: (archive: Archive, pages: readonly (readonly ArchiveEntry[])[]) => Promise<Archive>
  find: (archiveId: string) => Promise<Archive | undefined>
  /** A page of entries; undefined if the archive has been removed. */
  loadPage: (archiveId: string, index: number) => Promise<readonly ArchiveEntry[] | undefined>
  /** Whether the archive has one of these uploads. */
  hasAnyOf: (archiveId: string, uploadIds: readonly string[]) => Promise<boolean>
  /** Removes all archives of an event. */
  removeOfEvent: (eventId: string) => Promise<void>
  /** Removes all archives that expired before `before`. Returns how many. */
  removeExpired: (before: Date) => Promise<number>
}

/** The name under which a browser saves an archive. */
export const archiveFilename = (eventId: string): string => `Event_${eventId}.zip`

export const archiveExpired = () =>
  gone('This download link has expired. Please ask for a new one.', { code: 'archive_expired' })
