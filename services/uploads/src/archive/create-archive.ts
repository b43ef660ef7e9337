import { createHash } from 'node:crypto'
import {
  buildPath,
  downloadArchive,
  type Archive as ArchiveAnswer,
  type ArchiveOptions,
} from '@confetti/contracts'
import { notFound, type Clock } from '@confetti/service-kit'
import type { StoredEvent } from '../domain/event.ts'
import { makeFindOwnEvent, type FindEvent } from '../domain/find-event.ts'
import type { ArchivableUpload, UploadStore } from '../domain/upload.ts'
import { archiveFilename, type ArchiveStore } from './archive.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import { newLinkKey, type ArchiveLinks } from './archive-links.ts'
import type { CompleteChecksums } from './complete-checksums.ts'
import { createEntryNames } from './entry-names.ts'
import { getEntryTime } from './entry-time.ts'
import { layOutZip, measurePage, type PageLengths } from './zip-layout.ts'

/** How many entries are read from the database at once, when an archive is downloaded. */
const PAGE_ENTRIES = 500

interface Deps {
  findEvent: FindEvent
  uploads: Pick<UploadStore, 'listForArchive'>
  archives: Pick<ArchiveStore, 'save' | 'removeOfEvent'>
  completeChecksums: CompleteChecksums
  links: Pick<ArchiveLinks, 'sign'>
  linkLifeMs: number
  clock: Clock
}

const select = (
  uploads: readonly ArchivableUpload[],
  uploadIds: readonly string[] | undefined,
): readonly ArchivableUpload[] => {
  if (!uploadIds) return uploads
  const byId = new Map(uploads.map((upload) => [upload._id, upload]))
  return [...new Set(uploadIds)].map((id) => {
    const upload = byId.get(id)
    if (!upload)
      throw notFound('Some of the selected uploads do not exist any more. Please select again.', {
        code: 'upload_not_found',
      })
    return upload
  })
}

/** The entries of an archive: in the order of their times, which depends on the uploads alone. */
const toEntries = (
  uploads: readonly (ArchivableUpload & { crc32: number })[],
  folders: ArchiveOptions['folders'],
): ArchiveEntry[] => {
  const ordered = uploads
    .map((upload) => ({ upload, ...getEntryTime(upload) }))
    .sort((one, other) => one.order - other.order || (one.upload._id < other.upload._id ? -1 : 1))
  const getName = createEntryNames(folders)
  return ordered.map(({ upload, modified }) => ({
    uploadId: upload._id,
    name: getName(upload),
    size: upload.size,
    crc32: upload.crc32,
    modified,
  }))
}

const paginate = (entries: readonly ArchiveEntry[]): { pages: ArchiveEntry[][]; lengths: PageLengths[] } => {
  const pages: ArchiveEntry[][] = []
  const lengths: PageLengths[] = []
  let offset = 0
  for (let start = 0; start < entries.length; start += PAGE_ENTRIES) {
    const page = entries.slice(start, start + PAGE_ENTRIES)
    const length = measurePage(page, offset)
    pages.push(page)
    lengths.push(length)
    offset += length.filesBytes
  }
  return { pages, lengths }
}

const makeCreateArchive =
  ({ findEvent, uploads, archives, completeChecksums, links, linkLifeMs, clock }: Deps) =>
  async (event: StoredEvent, options: ArchiveOptions, baseUrl: string): Promise<ArchiveAnswer> => {
    // Before the list is read: an upload that is deleted from now on makes the archive outdated.
    const createdAt = clock()
    const selected = select(await uploads.listForArchive(event._id), options.uploadIds)
    if (selected.length === 0) throw notFound('There are no uploads to download yet.', { code: 'no_uploads' })
    const { pages, lengths } = paginate(toEntries(await completeChecksums(selected), options.folders))
    const archiveId = createHash('sha256')
      .update(JSON.stringify([event._id, pages]))
      .digest('hex')
    const expiresAt = new Date(createdAt.getTime() + linkLifeMs)
    const { linkKey } = await archives.save(
      { _id: archiveId, eventId: event._id, linkKey: newLinkKey(), createdAt, expiresAt, pages: lengths },
      pages,
    )
    // Checksums can take minutes. Only now: an erasure that begins after this check finds the list.
    await findEvent(event._id).catch(async (error: unknown) => {
      await archives.removeOfEvent(event._id)
      throw error
    })

    const filename = archiveFilename(event._id)
    const { files, bytes } = layOutZip(lengths)
    const path = buildPath(downloadArchive, {
      token: links.sign({ archiveId, expiresAt }, linkKey),
      filename,
    })
    return { url: baseUrl + path, filename, files, bytes, expiresAt: expiresAt.toISOString() }
  }

/**
 * Stores the list of an event's uploads, or of those that are selected, and creates a link to download them as a ZIP
 * archive. Throws `notFound` for an unknown event or upload, and `unavailable` while checksums are being computed.
 */
export const makeCreateEventArchive = (deps: Deps) => {
  const createArchive = makeCreateArchive(deps)
  return async (eventId: string, options: ArchiveOptions, baseUrl: string): Promise<ArchiveAnswer> =>
    createArchive(await deps.findEvent(eventId), options, baseUrl)
}
export type CreateEventArchive = ReturnType<typeof makeCreateEventArchive>

/** Does the same for an organiser. Throws `notFound` also for another organiser's event. */
export const makeCreateMyEventArchive = (deps: Deps) => {
  const createArchive = makeCreateArchive(deps)
  const findOwnEvent = makeFindOwnEvent(deps.findEvent)
  return async (
    organiserId: string,
    eventId: string,
    options: ArchiveOptions,
    baseUrl: string,
  ): Promise<ArchiveAnswer> => createArchive(await findOwnEvent(organiserId, eventId), options, baseUrl)
}
export type CreateMyEventArchive = ReturnType<typeof makeCreateMyEventArchive>
