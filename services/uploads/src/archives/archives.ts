import { createHash } from 'node:crypto'
import {
  buildPath,
  downloadArchive,
  MAX_SELECTED_UPLOADS,
  MB,
  type Archive as ArchiveAnswer,
  type ArchiveOptions,
  type EventCopy,
  type GalleryArchiveOptions,
} from '@confetti/contracts'
import { AppError, gone, notFound, tooLarge } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import { isGalleryOpen } from '../events.ts'
import { saveableFile } from '../file-names.ts'
import type { ArchivableUpload } from '../upload.ts'
import { createArchiveLinks, newLinkKey, signingKeyOf } from './archive-links.ts'
import {
  archiveExpired,
  archiveFilename,
  plainFilename,
  toCopyEntries,
  toEntries,
  type Archive,
  type ArchiveEntry,
  type CopiesOf,
} from './entries.ts'
import { createChecksums } from './checksums.ts'
import { layOutZip, measurePage, type PageLengths } from './zip-layout.ts'

/** How many entries are read from the database at once, when an archive is downloaded. */
const PAGE_ENTRIES = 500
/** How far the clocks of two replicas may differ. */
const CLOCK_SKEW_MS = 5 * 60_000

const archiveNotFound = () =>
  notFound('This download link is not valid. Please ask for a new one.', { code: 'archive_not_found' })
const archiveOutdated = () =>
  gone('Some of these files have been deleted meanwhile. Please ask for a new download link.', {
    code: 'archive_outdated',
  })

const selectAgain = () =>
  notFound('Some of the selected uploads do not exist any more. Please select again.', {
    code: 'upload_not_found',
  })
const saveOff = () => notFound('Photos of this event cannot be saved.', { code: 'save_off' })
const preparing = () =>
  new AppError('unavailable', 'The download is being prepared.', {
    code: 'archive_preparing',
    retryAfterSeconds: 1,
  })
const tooMuch = () => tooLarge('This is too much for one download. Please select fewer photos.')

/** The most bytes of an archive of copies: 3,000 photos have about 3 GB. */
const MAX_COPIES_BYTES = 4_096 * MB
/** How many renditions of earlier versions one call measures. */
const MAX_MEASURED = 5

const select = (
  uploads: readonly ArchivableUpload[],
  uploadIds: readonly string[] | undefined,
): readonly ArchivableUpload[] => {
  if (!uploadIds) return uploads
  const byId = new Map(uploads.map((upload) => [upload._id, upload]))
  return [...new Set(uploadIds)].map((id) => {
    const upload = byId.get(id)
    if (!upload) throw selectAgain()
    return upload
  })
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

/** Lists of uploads that links let anyone download as a ZIP archive. */
export const createArchives = (deps: Deps) => {
  const { config, uploads, archives, blobs, events, guestLimits, clock } = deps
  const completeChecksums = createChecksums(deps)
  const links = createArchiveLinks(config.TICKET_SECRET)

  /** Stores the list of an archive, and creates a link to it. */
  const store = async (
    event: EventCopy,
    entries: readonly ArchiveEntry[],
    { createdAt, baseUrl, copies }: { createdAt: Date; baseUrl: string; copies?: CopiesOf },
  ): Promise<ArchiveAnswer> => {
    const { pages, lengths } = paginate(entries)
    const archiveId = createHash('sha256')
      .update(JSON.stringify([event._id, pages, ...(copies ? [copies] : [])]))
      .digest('hex')
    const expiresAt = new Date(createdAt.getTime() + config.ARCHIVE_LINK_LIFE_MS)
    const archive = await archives.save(
      {
        _id: archiveId,
        eventId: event._id,
        linkKey: newLinkKey(),
        createdAt,
        expiresAt,
        pages: lengths,
        ...(copies && { copies }),
      },
      pages,
    )
    // Checksums can take minutes. Only now: an erasure that begins after this check finds the list. A guest whose
    // pass ended meanwhile is refused, too, but the lists of others stay.
    await events.get(event._id).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'event_not_found')
        await archives.removeOfEvent(event._id)
      throw error
    })

    const filename = archiveFilename(event)
    const { files, bytes } = layOutZip(lengths)
    const path = buildPath(downloadArchive, {
      token: links.sign({ archiveId, expiresAt }, { linkKey: signingKeyOf(archive), filename }),
      filename,
    })
    return { url: baseUrl + path, filename, files, bytes, expiresAt: expiresAt.toISOString() }
  }

  /** The event. Throws `notFound`, with the code `save_off` if it allows no copies. */
  const getSaveable = async (eventId: string): Promise<EventCopy> => {
    const event = await events.get(eventId)
    if (event.save !== 'copy') throw saveOff()
    return event
  }

  /** The events whose renditions are being measured. */
  const measuring = new Set<string>()
  /** A video whose rendition is missing has none from now on. */
  const measureRendition = async (uploadId: string): Promise<void> => {
    const file = await blobs.measureRendition(uploadId)
    await (file ? uploads.setRenditionFile(uploadId, file) : uploads.requestLostRendition(uploadId, clock()))
  }

  /** What can be saved of these uploads. Undefined if renditions of earlier versions are measured first, some of them at once. */
  const measureRenditions = async (
    eventId: string,
    found: Awaited<ReturnType<Deps['uploads']['listSaveable']>>,
  ) => {
    const saveable = found.flatMap((upload) => {
      const { blob: file, name } = saveableFile(upload)
      return file ? [{ ...upload, file, name }] : []
    })
    const missing = saveable.filter(({ copy }) => !copy)
    if (missing.length === 0)
      return saveable.flatMap(({ copy, ...upload }) => (copy ? [{ ...upload, ...copy }] : []))
    if (measuring.has(eventId)) return undefined
    measuring.add(eventId)
    try {
      for (const { _id } of missing.slice(0, MAX_MEASURED)) await measureRendition(_id)
    } finally {
      measuring.delete(eventId)
    }
    return undefined
  }

  /** Whether a guest may still save all of an archive of copies. */
  const isStillSaveable = async ({ _id, eventId, copies }: Archive): Promise<boolean> => {
    if (!copies) return true
    const event = await events.get(eventId)
    if (event.save !== 'copy' || !(copies.isOwn || isGalleryOpen(event, clock()))) return false
    const hidden = await uploads.listHiddenFrom(eventId, copies.guestId)
    return hidden.length === 0 || !(await archives.hasAnyOf(_id, hidden))
  }

  return {
    /** Throws `notFound`. */
    getEvent: events.get,

    /**
     * Stores the list of an event's uploads, or of those that are selected, and creates a link to download them. Throws
     * `notFound` for an unknown upload, and `unavailable` while checksums are being computed.
     */
    create: async (event: EventCopy, options: ArchiveOptions, baseUrl: string): Promise<ArchiveAnswer> => {
      // Before the list is read: an upload that is deleted from now on makes the archive outdated.
      const createdAt = clock()
      await uploads.addMissingCaptures(event._id, event.timeZone)
      const selected = select(await uploads.listForArchive(event._id, options.uploadIds), options.uploadIds)
      if (selected.length === 0)
        throw notFound('There are no uploads to download yet.', { code: 'no_uploads' })
      const entries = toEntries(await completeChecksums(event._id, selected), options.folders)
      return store(event, entries, { createdAt, baseUrl })
    },

    /**
     * The same for a guest: of copies, and only of what this guest sees in the gallery or has sent. What has no copy yet is
     * left out. Throws `notFound` if there is nothing or the event allows no copies, `tooLarge`, `tooManyRequests`, and `unavailable` while it is prepared.
     */
    createOfCopies: async (
      eventId: string,
      { uploadIds, mine: isOwn }: GalleryArchiveOptions,
      { guestId, address, baseUrl }: { guestId: string | undefined; address: string; baseUrl: string },
    ): Promise<ArchiveAnswer> => {
      const event = await getSaveable(eventId)
      const { guests, withoutToken, addresses, pagesOfEvents } = guestLimits.archives
      const limits = [
        guestId === undefined ? ([withoutToken, address] as const) : ([guests, guestId] as const),
        [addresses, address] as const,
      ]
      for (const [limiter, key] of limits) await limiter.consume(key)
      // Before the list is read, which costs most.
      await pagesOfEvents.check(eventId)
      const createdAt = clock()
      const copies = { ...(guestId !== undefined && { guestId }), isOwn }
      const found = await uploads.listSaveable(event._id, {
        ...copies,
        ids: uploadIds,
        isGalleryOpen: isGalleryOpen(event, createdAt),
        limit: MAX_SELECTED_UPLOADS + 1,
      })
      if (uploadIds && found.length < new Set(uploadIds).size) throw selectAgain()
      if (found.length > MAX_SELECTED_UPLOADS) throw tooMuch()
      const selected = await measureRenditions(eventId, found)
      if (!selected) {
        // The page asks again.
        for (const [limiter, key] of limits) await limiter.refund(key)
        throw preparing()
      }
      if (selected.length === 0)
        throw notFound('There are no uploads to download yet.', { code: 'no_uploads' })
      if (selected.reduce((sum, { size }) => sum + size, 0) > MAX_COPIES_BYTES) throw tooMuch()
      await pagesOfEvents.consume(eventId, Math.ceil(selected.length / PAGE_ENTRIES))
      return store(event, toCopyEntries(selected), { createdAt, baseUrl, copies })
    },

    /**
     * Finds the archive of a link. Throws `notFound` for a link that was not signed by us, and `gone` if it has expired or
     * one of its uploads was deleted.
     */
    find: async (token: string, filename: string): Promise<Archive> => {
      const parsed = links.parse(token)
      if (!parsed) throw archiveNotFound()
      const archive = parsed.expiresAt > clock() ? await archives.find(parsed.archiveId) : undefined
      if (!archive) throw archiveExpired()
      const { eventId } = archive
      const linkKey = signingKeyOf(archive)
      const isOfEarlierVersion = filename === plainFilename(eventId) && parsed.isSignedWith({ linkKey })
      if (!isOfEarlierVersion && !parsed.isSignedWith({ linkKey, filename })) throw archiveNotFound()
      const since = new Date(archive.createdAt.getTime() - CLOCK_SKEW_MS)
      const deleted = await uploads.listDeletedSince(archive.eventId, since)
      if (deleted.length > 0 && (await archives.hasAnyOf(archive._id, deleted))) throw archiveOutdated()
      if (!(await isStillSaveable(archive))) throw archiveOutdated()
      return archive
    },
  }
}
export type Archives = ReturnType<typeof createArchives>
