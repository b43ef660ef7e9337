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
