import type { EventCopy, GalleryCredit, GalleryTotal, GalleryUpload } from '@confetti/contracts'
import {
  decodeCursor,
  encodeCursor,
  hasWallKey,
  notFound,
  pickDefined,
  type PageRequest,
} from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import { isGalleryOpen } from '../events.ts'
import type { Feed, FeedQuery } from '../feed/feed.ts'
import { LINK_STEP_MS } from '../upload-blobs.ts'
import type { ChangedUpload, StoredUpload } from '../upload.ts'
import { uploadNotFound } from '../rejections.ts'

/** Loaded when the first picture is made: it takes 25 MB of memory. */
const loadSharp = async () => {
  const { default: sharp } = await import('sharp')
  // A picture is made at most once a minute for an event, and the memory serves uploads.
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

/** The size that social networks show without cutting a picture. */
const PICTURE_WIDTH = 1_200
const PICTURE_HEIGHT = 630
/** WhatsApp shows no larger ones. */
const MAX_PICTURE_BYTES = 300_000
/** The first one fits nearly all photos. */
const PICTURE_QUALITIES = [75, 50, 25]

/** Makes the picture that chats show beside a link from a preview: a JPEG, as some of them read no WebP. */
export const toLinkPicture = async (preview: Buffer): Promise<Buffer> => {
  const sharp = await loadSharp()
  const picture = sharp(preview)
    .resize(PICTURE_WIDTH, PICTURE_HEIGHT, { fit: 'cover', position: 'attention' })
    .flatten({ background: '#ffffff' })
  let jpeg = Buffer.alloc(0)
  for (const quality of PICTURE_QUALITIES) {
    jpeg = await picture.clone().jpeg({ quality }).toBuffer()
    if (jpeg.length <= MAX_PICTURE_BYTES) break
  }
  return jpeg
}

interface Reporter {
  guestId: string
  /** As returned by `addressKey`. */
  address: string
}

/** What a guest asks for; with `credit` of this name only. */
type GalleryQuery = FeedQuery & { credit?: string | undefined }

/** How old the gallery may be that a guest gets: what is hidden is gone within 3 s. */
const MAX_AGE_MS = 2_000
/** How many guests must report an upload until it waits for approval. */
const REPORTS_UNTIL_APPROVAL = 3

/** What guests and the live wall see of what all guests of an event have sent. */
export const createGallery = (
  { uploads, blobs, events, eventCopies, guestLimits, clock, metrics, logger }: Deps,
  { answer, computeOnce }: Feed,
) => {
  /** Throws `notFound`, with the code `gallery_off` if guests do not see the gallery now. */
  const getOpen = async (eventId: string): Promise<EventCopy> => {
    const event = await events.get(eventId)
    if (!isGalleryOpen(event, clock()))
      throw notFound('The gallery of this event is not open.', { code: 'gallery_off' })
    return event
  }

  /** Throws `notFound` without the key of the event's live wall, and for a wrong or earlier one. */
  const getByWallKey = async (eventId: string, key: string | undefined): Promise<EventCopy> => {
    const event = await events.get(eventId)
    if (key !== undefined) {
      if (hasWallKey(event, key)) return event
      // The link may have been created a moment ago.
      const latest = await eventCopies.findLatest(event._id)
      if (latest && hasWallKey(latest, key)) return latest
    }
    throw notFound('This link to the live wall has ended.', { code: 'wall_not_found' })
  }

  /** The photo that guests see as the cover of an event. Throws `notFound`. */
  const getCover = async (eventId: string) => {
    const { _id, cover } = await events.get(eventId)
    const upload = cover && (await uploads.findVisible(_id, cover))
    if (!upload || !upload.width || !upload.height)
      throw notFound('This event has no cover.', { code: 'no_cover' })
    return { upload, width: upload.width, height: upload.height }
  }

  /** What guests see of an upload. Files without dimensions are not shown. */
  const toGalleryUpload = (upload: StoredUpload, now: Date, canSave: boolean): GalleryUpload | undefined => {
    const { _id, photoCredit, uploadedAt, width, height } = upload
    if (!width || !height) return undefined
    return {
      _id,
      photoCredit,
      uploadedAt: uploadedAt.toISOString(),
      ...pickDefined(upload, ['takenAt', 'takenAtSource', 'isDamaged', 'durationSeconds']),
      width,
      height,
      ...blobs.createPreviewLinks(upload, now),
      ...(canSave && blobs.createSaveLink(upload, now)),
    }
  }

  /** What has changed is the same for all who ask, and its links are within a step. */
  const changedViews = new WeakMap<ChangedUpload, { key: string; seen: GalleryUpload | undefined }>()
  const viewChanged = (upload: ChangedUpload, now: Date, canSave: boolean): GalleryUpload | undefined => {
    if (upload.isDeleted || upload.status !== 'ready' || upload.visibility !== 'visible') return undefined
    const key = `${Math.floor(now.getTime() / LINK_STEP_MS)} ${canSave}`
    const known = changedViews.get(upload)
    if (known?.key === key) return known.seen
    const seen = toGalleryUpload(upload, now, canSave)
    changedViews.set(upload, { key, seen })
    return seen
  }

  const listPage = async (eventId: string, request: PageRequest, canSave: boolean, credit?: string) => {
    const page = await uploads.listVisible(eventId, request, credit)
    const now = clock()
    return {
      uploads: page.uploads.flatMap((upload) => toGalleryUpload(upload, now, canSave) ?? []),
      ...(page.next && { nextCursor: encodeCursor(page.next) }),
    }
  }

  /** Throws `invalid` for a malformed cursor, whether or not the caller may read the list. */
  const list = async (
    { credit, ...query }: GalleryQuery,
    maxAgeMs: number,
    findEvent: () => Promise<EventCopy>,
    countTotal?: (eventId: string) => Promise<GalleryTotal>,
  ) => {
    const { limit, after } = query
    const request = { limit, after: after ? decodeCursor(after) : undefined }
    const { _id, save } = await findEvent()
    // Nobody saves from a wall.
    const canSave = save === 'copy' && countTotal !== undefined
    const answered = await answer(_id, query, {
      seesOnlyProcessed: true,
      maxAgeMs,
      view: (upload, now) =>
        credit === undefined || upload.photoCredit === credit ? viewChanged(upload, now, canSave) : undefined,
      // Also one of another name, which may have been renamed.
      mayHaveSeen: ({ isDeleted, visibility }) =>
        credit !== undefined || isDeleted || visibility !== 'visible',
      listPage: () => listPage(_id, request, canSave, credit),
      ...(canSave && { variant: save }),
      ...(credit === undefined && { pageKey: 'gallery' }),
    })
    if (!answered.body || !countTotal || after !== undefined) return answered
    return { ...answered, body: { ...answered.body, total: await countTotal(_id) } }
  }

  /** The names of an event's gallery: one query for a change of its uploads, however many guests ask. */
  const countCredits = (eventId: string): Promise<GalleryCredit[]> =>
    computeOnce(eventId, MAX_AGE_MS, 'credits', () => uploads.countVisible(eventId))

  const countTotal = async (eventId: string): Promise<GalleryTotal> => {
    const credits = await countCredits(eventId)
    return { files: credits.reduce((sum, { files }) => sum + files, 0), guests: credits.length }
  }

  return {
    getOpen,

    /**
     * What guests see of an event, or what of it has changed, with the total unless it is a further page. Throws `notFound`
     * while its gallery is not open.
     */
    list: (eventId: string, query: GalleryQuery) =>
      list(query, MAX_AGE_MS, () => getOpen(eventId), countTotal),

    /** The names under which guests have sent what the gallery shows. Throws `notFound` while it is not open. */
    listCredits: async (eventId: string): Promise<GalleryCredit[]> => {
      const { _id } = await getOpen(eventId)
      return countCredits(_id)
    },

    /**
     * The same for the live wall, whether or not the gallery is open. Throws `notFound` without the wall's key. Live updates
     * tell a wall to ask: what they are about must be there.
     */
    listForWall: (eventId: string, key: string | undefined, query: FeedQuery) =>
      list(query, 0, () => getByWallKey(eventId, key)),

    /**
     * A link to the preview of the photo that an event has as its cover. Throws `notFound` if there is none that guests
     * can see.
     */
    findCover: async (eventId: string): Promise<{ url: string; width: number; height: number }> => {
      const { upload, width, height } = await getCover(eventId)
      const { previewUrl: url } = blobs.createPreviewLinks(upload, clock())
      return { url, width, height }
    },

    /** The same photo as the picture of a link's preview. Throws `notFound`, too. */
    readCoverPicture: async (eventId: string): Promise<Buffer> => {
      const { upload } = await getCover(eventId)
      return toLinkPicture(await blobs.readPreview(upload._id))
    },

    /**
     * Counts the report of a guest about an upload in the gallery. Throws `notFound` if guests do not see the upload, and
     * `tooManyRequests`.
     */
    report: async ({ guestId, address }: Reporter, eventId: string, uploadId: string): Promise<void> => {
      const event = await getOpen(eventId)
      await guestLimits.reports.guests.consume(guestId)
      await guestLimits.reports.addresses.consume(address)
      const outcome = await uploads.report(event._id, uploadId, {
        guestId,
        maxReports: REPORTS_UNTIL_APPROVAL,
      })
      if (outcome === 'not_found') throw uploadNotFound()
      metrics.reported(outcome)
      if (outcome === 'pending')
        logger.info({ uploadId }, 'upload reported by several guests, waits for approval')
    },
  }
}
export type Gallery = ReturnType<typeof createGallery>
