import { gone, notFound, type Clock } from '@confetti/service-kit'
import type { UploadStore } from '../domain/upload.ts'
import { archiveFilename, type Archive, type ArchiveStore } from './archive.ts'
import type { ArchiveLinks } from './archive-links.ts'

/** How far the clocks of two replicas may differ. */
const CLOCK_SKEW_MS = 5 * 60_000

interface Deps {
  links: Pick<ArchiveLinks, 'verify'>
  archives: Pick<ArchiveStore, 'find' | 'loadPage'>
  uploads: Pick<UploadStore, 'listDeletedSince'>
  clock: Clock
}

export const archiveExpired = () =>
  gone('This download link has expired. Please ask for a new one.', { code: 'archive_expired' })
export const archiveOutdated = () =>
  gone('Some of these files have been deleted meanwhile. Please ask for a new download link.', {
    code: 'archive_outdated',
  })

/**
 * Finds the archive of a link. Throws `notFound` for a link that was not signed by us, and `gone` if it has expired or one
 * of its uploads was deleted.
 */
export const makeFindArchive = ({ links, archives, uploads, clock }: Deps) => {
  const hasAnyOf = async (archive: Archive, uploadIds: ReadonlySet<string>): Promise<boolean> => {
    for (const index of archive.pages.keys()) {
      const page = await archives.loadPage(archive._id, index)
      if (!page) throw archiveExpired()
      if (page.some(({ uploadId }) => uploadIds.has(uploadId))) return true
    }
    return false
  }

  return async (token: string, filename: string): Promise<Archive> => {
    const grant = links.verify(token)
    if (!grant)
      throw notFound('This download link is not valid. Please ask for a new one.', {
        code: 'archive_not_found',
      })
    const archive = grant.expiresAt > clock() ? await archives.find(grant.archiveId) : undefined
    if (!archive) throw archiveExpired()
    if (filename !== archiveFilename(archive.eventId))
      throw notFound('This download link is not valid. Please ask for a new one.', {
        code: 'archive_not_found',
      })
    const since = new Date(archive.createdAt.getTime() - CLOCK_SKEW_MS)
    const deleted = await uploads.listDeletedSince(archive.eventId, since)
    if (deleted.length > 0 && (await hasAnyOf(archive, new Set(deleted)))) throw archiveOutdated()
    return archive
  }
}
export type FindArchive = ReturnType<typeof makeFindArchive>
