import { gone, notFound, type Clock } from '@confetti/service-kit'
import type { UploadStore } from '../domain/upload.ts'
import { archiveFilename, type Archive, type ArchiveStore } from './archive.ts'
import type { ArchiveLinks } from './archive-links.ts'

/** How far the clocks of two replicas may differ. */
const CLOCK_SKEW_MS = 5 * 60_000

interface Deps {
  links: Pick<ArchiveLinks, 'parse'>
  archives: Pick<ArchiveStore, 'find' | 'hasAnyOf'>
  uploads: Pick<UploadStore, 'listDeletedSince'>
  clock: Clock
}

export const archiveExpired = () =>
  gone('This download link has expired. Please ask for a new one.', { code: 'archive_expired' })
const archiveNotFound = () =>
  notFound('This download link is not valid. Please ask for a new one.', { code: 'archive_not_found' })
const archiveOutdated = () =>
  gone('Some of these files have been deleted meanwhile. Please ask for a new download link.', {
    code: 'archive_outdated',
  })

/**
 * Finds the archive of a link. Throws `notFound` for a link that was not signed by us, and `gone` if it has expired or one
 * of its uploads was deleted.
 */
export const makeFindArchive =
  ({ links, archives, uploads, clock }: Deps) =>
  async (token: string, filename: string): Promise<Archive> => {
    const parsed = links.parse(token)
    if (!parsed) throw archiveNotFound()
    const archive = parsed.expiresAt > clock() ? await archives.find(parsed.archiveId) : undefined
    if (!archive) throw archiveExpired()
    if (!parsed.isSignedWith(archive.linkKey) || filename !== archiveFilename(archive.eventId))
      throw archiveNotFound()
    const since = new Date(archive.createdAt.getTime() - CLOCK_SKEW_MS)
    const deleted = await uploads.listDeletedSince(archive.eventId, since)
    if (deleted.length > 0 && (await archives.hasAnyOf(archive._id, deleted))) throw archiveOutdated()
    return archive
  }
export type FindArchive = ReturnType<typeof makeFindArchive>
