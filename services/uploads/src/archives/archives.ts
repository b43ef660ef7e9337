import { createHash, randomBytes } from 'node:crypto'
import {
  buildPath,
  downloadArchive,
  type Archive as ArchiveAnswer,
  type ArchiveOptions,
  type EventCopy,
} from '@confetti/contracts'
import { AppError, createTextSigner, gone, notFound } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import type { ArchivableUpload } from '../upload.ts'
import {
  archiveExpired,
  archiveFilename,
  plainFilename,
  toEntries,
  type Archive,
  type ArchiveEntry,
} from './entries.ts'
import { createChecksums } from './checksums.ts'
import { layOutZip, measurePage, type PageLengths } from './zip-layout.ts'

/** What a link to an archive grants: to download it until `expiresAt`. */
interface ArchiveGrant {
  archiveId: string
  expiresAt: Date
}

/** What signs a grant together with the secret: the link's name, too, which the browser shows to whoever opens the link. */
interface LinkSigning {
  linkKey: string
  /** Absent in links of earlier versions. */
  filename?: string
}

/** A token of a request. It is not trusted before `isSignedWith` returns true. */
interface ParsedToken extends ArchiveGrant {
  /** Whether `sign` made it for the archive that has this key, and for a link of this name. */
  isSignedWith: (signing: LinkSigning) => boolean
}

interface ArchiveLinks {
  /** Returns a grant as text, which can't be made or changed without the secret. */
  sign: (grant: ArchiveGrant, signing: LinkSigning) => string
  /** Returns undefined for what does not look like a token. */
  parse: (token: string) => ParsedToken | undefined
}

/** The part of an archive's links that is new when the archive is stored again, after its links were revoked. */
const newLinkKey = (): string => randomBytes(16).toString('base64url')

// The prefix keeps these texts distinct from tickets, which are signed with the same secret.
const toText = (archiveId: string, expires: string, { linkKey, filename }: LinkSigning): string =>
  ['archive', archiveId, expires, linkKey, ...(filename === undefined ? [] : [filename])].join('.')

/** Creates the tokens of archive links: `archiveId.expiry.signature`, signed with the first of `secrets`. */
export const createArchiveLinks = (secrets: readonly string[]): ArchiveLinks => {
  const { sign, isSignature } = createTextSigner(secrets)
  return {
    sign: ({ archiveId, expiresAt }, signing) => {
      const expires = String(expiresAt.getTime())
      return `${archiveId}.${expires}.${sign(toText(archiveId, expires, signing))}`
    },
    parse: (token) => {
      const [, archiveId, expires, signature] = /^([0-9a-f]{64})\.(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
      if (!archiveId || !expires || !signature) return undefined
      return {
        archiveId,
        expiresAt: new Date(Number(expires)),
        isSignedWith: (signing) => isSignature(signature, toText(archiveId, expires, signing)),
      }
    },
  }
}

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
  const { config, uploads, archives, events, clock } = deps
  const completeChecksums = createChecksums(deps)
  const links = createArchiveLinks(config.TICKET_SECRET)
  return {
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
      const { pages, lengths } = paginate(
        toEntries(await completeChecksums(event._id, selected), options.folders),
      )
      const archiveId = createHash('sha256')
        .update(JSON.stringify([event._id, pages]))
        .digest('hex')
      const expiresAt = new Date(createdAt.getTime() + config.ARCHIVE_LINK_LIFE_MS)
      const { linkKey } = await archives.save(
        { _id: archiveId, eventId: event._id, linkKey: newLinkKey(), createdAt, expiresAt, pages: lengths },
        pages,
      )
      // Checksums can take minutes. Only now: an erasure that begins after this check finds the list.
      await events.get(event._id).catch(async (error: unknown) => {
        if (error instanceof AppError && error.kind === 'not_found') await archives.removeOfEvent(event._id)
        throw error
      })

      const filename = archiveFilename(event)
      const { files, bytes } = layOutZip(lengths)
      const path = buildPath(downloadArchive, {
        token: links.sign({ archiveId, expiresAt }, { linkKey, filename }),
        filename,
      })
      return { url: baseUrl + path, filename, files, bytes, expiresAt: expiresAt.toISOString() }
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
      const { eventId, linkKey } = archive
      const isOfEarlierVersion = filename === plainFilename(eventId) && parsed.isSignedWith({ linkKey })
      if (!isOfEarlierVersion && !parsed.isSignedWith({ linkKey, filename })) throw archiveNotFound()
      const since = new Date(archive.createdAt.getTime() - CLOCK_SKEW_MS)
      const deleted = await uploads.listDeletedSince(archive.eventId, since)
      if (deleted.length > 0 && (await archives.hasAnyOf(archive._id, deleted))) throw archiveOutdated()
      return archive
    },
  }
}
export type Archives = ReturnType<typeof createArchives>
