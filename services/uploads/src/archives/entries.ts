import type { ArchiveOptions, EventCopy } from '@confetti/contracts'
import { gone } from '@confetti/service-kit'
import { toLocalTime, type Capture } from '../capture-time.ts'
import { toSafeFolderName } from '../file-names.ts'
import type { ArchivableUpload } from '../upload.ts'
import type { PageLengths } from './zip-layout.ts'

/** The file of an upload that an archive has. */
export type ArchivedFile = 'original' | 'copy' | 'rendition'

/** A file of an archive. */
export interface ArchiveEntry {
  uploadId: string
  /** Absent: the original. */
  file?: ArchivedFile
  /** Its path in the archive, with `/` between a folder and the name. */
  name: string
  /** In bytes. */
  size: number
  crc32: number
  modified: EntryTime
}

/** When a file was made, as far as it is known. */
export interface EntryTime {
  /** The time on the clocks of the event: `2026-05-01T18:30:00`. */
  local: string
  /** Seconds since 1970, UTC. Absent in archives of earlier versions if the camera's time zone was unknown. */
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
  /** Present if it is one of copies, for a guest. Absent: of originals, for members. */
  copies?: CopiesOf
}

/** What a guest may save that an archive of copies has. */
export interface CopiesOf {
  /** Who asked for it. Absent: a guest without a token. */
  guestId?: string
  /** Whether all of it is what this guest has sent. */
  isOwn: boolean
}

/** The name of archives of earlier versions, and of events of which no name is known. */
export const plainFilename = (eventId: string): string => `Event_${eventId}.zip`

/** The name under which a browser saves an archive: the event's name and first day, safe on Windows, macOS and Linux. */
export const archiveFilename = ({
  _id,
  name,
  startDate,
}: Pick<EventCopy, '_id' | 'name' | 'startDate'>): string =>
  name === undefined
    ? plainFilename(_id)
    : `${[toSafeFolderName(name), startDate].filter(Boolean).join(' ')}.zip`

export const archiveExpired = () =>
  gone('This download link has expired. Please ask for a new one.', { code: 'archive_expired' })

interface NamedUpload {
  /** As in the API: the last segment is the name in an archive. */
  filename: string
  photoCredit: string
}

/** How two names compare on Windows and macOS. */
const keyOf = (name: string): string => name.normalize('NFC').toLowerCase()

/** Makes names distinct, also where case is ignored. `toName` returns a name, with a number if it gets one. */
const createDistinctNames = (): ((toName: (number?: number) => string) => string) => {
  const taken = new Set<string>()
  /** By the key of a name: the number to try next, so that thousands of like names take no longer than others. */
  const nextNumbers = new Map<string, number>()
  return (toName) => {
    const plain = toName()
    let name = plain
    while (taken.has(keyOf(name))) {
      const number = nextNumbers.get(keyOf(plain)) ?? 2
      nextNumbers.set(keyOf(plain), number + 1)
      name = toName(number)
    }
    taken.add(keyOf(name))
    return name
  }
}

/** A distinct folder for each credit: credits that differ only in case get numbers. */
const createFolders = (): ((photoCredit: string) => string) => {
  const folders = new Map<string, string>()
  const toDistinct = createDistinctNames()
  return (photoCredit) => {
    const known = folders.get(photoCredit)
    if (known !== undefined) return known
    const folder = toDistinct((number) => toSafeFolderName(photoCredit, number?.toString()))
    folders.set(photoCredit, folder)
    return folder
  }
}

/** Creates the function that names the entries of one archive, in their order. */
export const createEntryNames = (folders: 'none' | 'credit'): ((upload: NamedUpload) => string) => {
  const getFolder = createFolders()
  return ({ filename, photoCredit }) => {
    // Unique in its event, and safe on Windows, macOS and Linux.
    const name = filename.split('/').at(-1) ?? filename
    return folders === 'none' ? name : `${getFolder(photoCredit)}/${name}`
  }
}

/** The time that an upload has in an archive. */
export const getEntryTime = (capture: Capture): EntryTime => ({
  local: toLocalTime(capture),
  unixSeconds: Math.floor(capture.capturedAt.getTime() / 1_000),
})

type TimedUpload = Pick<ArchivableUpload, '_id' | 'capture'>

/** In the order of their times. */
const inOrder = <T extends TimedUpload>(uploads: readonly T[]): T[] =>
  uploads.toSorted(
    (one, other) =>
      one.capture.capturedAt.getTime() - other.capture.capturedAt.getTime() || (one._id < other._id ? -1 : 1),
  )

/** The entries of an archive of copies: named by time and credit, with a number where two would have one name. */
export const toCopyEntries = (
  uploads: readonly (TimedUpload & { name: string; file: ArchivedFile; size: number; crc32: number })[],
): ArchiveEntry[] => {
  const toDistinct = createDistinctNames()
  return inOrder(uploads).map(({ _id, name, file, size, crc32, capture }) => ({
    uploadId: _id,
    file,
    // A guest may be called like a name with a number.
    name: toDistinct((number) => (number ? name.replace(/(?=\.\w+$)/, ` (${number})`) : name)),
    size,
    crc32,
    modified: getEntryTime(capture),
  }))
}

/** The entries of an archive: in the order of their times, which depends on the uploads alone. */
export const toEntries = (
  uploads: readonly (ArchivableUpload & { crc32: number })[],
  folders: ArchiveOptions['folders'],
): ArchiveEntry[] => {
  const getName = createEntryNames(folders)
  return inOrder(uploads).map((upload) => ({
    uploadId: upload._id,
    name: getName(upload),
    size: upload.size,
    crc32: upload.crc32,
    modified: getEntryTime(upload.capture),
  }))
}
