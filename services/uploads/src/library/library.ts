import type {
  CreditChange,
  EventCopy,
  GuestUpload,
  Upload,
  UploadOrder,
  UploadTotal,
  VisibilityChange,
} from '@confetti/contracts'
import {
  decodeCursor,
  encodeCursor,
  pickDefined,
  tooManyRequests,
  type Position,
} from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import type { Feed, FeedQuery } from '../feed/feed.ts'
import { uploadNotFound } from '../rejections.ts'
import { parseCredit } from '../sending/sender.ts'
import type { StoredUpload } from '../upload.ts'

const CHANGES_AT_ONCE = 10
const RENAMING_RETRY_AFTER_SECONDS = 5
/** How old a guest's own list may be: many guests look at theirs while it is processed. */
const MAX_AGE_MS = 2_000

/** How many uploads of a CSV file are read at once. */
const CSV_PAGE = 500
/** A line of a CSV file. A spreadsheet would compute a text that begins as a formula, also after a space: it is quoted there. */
const toCsvLine = (values: readonly string[]): string => {
  const cells = values.map((value) => {
    const text = /^\s*[=+\-@]/.test(value) ? `'${value}` : value
    return `"${text.replaceAll('"', '""')}"`
  })
  return `${cells.join(',')}\r\n`
}

const guestFields = [
  '_id',
  'originalName',
  'photoCredit',
  'contentType',
  'size',
  'status',
  'visibility',
  'failureReason',
  'width',
  'height',
  'durationSeconds',
  'takenAt',
  'takenAtSource',
  'isDamaged',
] as const satisfies (keyof StoredUpload)[]

const totalOf = (uploads: readonly StoredUpload[]): UploadTotal => ({
  files: uploads.length,
  guests: new Set(uploads.map(({ photoCredit }) => photoCredit)).size,
  bytes: uploads.reduce((sum, { size }) => sum + size, 0),
  waiting: uploads.filter(({ visibility }) => visibility === 'pending').length,
})

/** Changes uploads, some at once, and throws in the end if some have failed: a repetition changes those. */
const changeEach = async (ids: readonly string[], change: (id: string) => Promise<void>): Promise<void> => {
  const outcomes: PromiseSettledResult<void>[] = []
  for (let start = 0; start < ids.length; start += CHANGES_AT_ONCE)
    outcomes.push(...(await Promise.allSettled(ids.slice(start, start + CHANGES_AT_ONCE).map(change))))
  const failed = outcomes.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

/** What members do with the uploads of their events, and guests with their own. */
export const createLibrary = (
  { config, uploads, blobs, events, guestLimits, clock, metrics }: Deps,
  { answer }: Feed,
) => {
  const toUpload = (upload: StoredUpload, now: Date): Upload => {
    const { url, ...derivatives } = blobs.createReadLinks(upload, now)
    const { hasRendition: _, copy: _copy, ...fields } = upload
    return {
      ...fields,
      uploadedAt: upload.uploadedAt.toISOString(),
      url,
      ...(upload.status === 'ready' && derivatives),
    }
  }
  const toGuestUpload = (upload: StoredUpload, now: Date, { save }: EventCopy): GuestUpload => ({
    ...pickDefined(upload, guestFields),
    uploadedAt: upload.uploadedAt.toISOString(),
    ...(upload.status === 'ready' && {
      ...blobs.createPreviewLinks(upload, now),
      ...(save && blobs.createSaveLink(upload, now)),
    }),
  })

  /** Whose renames are running. */
  const renaming = new Set<string>()
  /**
   * Renames one call at a time: each writes to all uploads of a name, for a minute if they are many, and goes on when its
   * client has left. Throws `tooManyRequests` while another one of `key` runs.
   */
  const renameAlone = async (key: string, rename: () => Promise<number>): Promise<number> => {
    if (renaming.has(key))
      throw tooManyRequests(
        'Names are still being changed. Please try again in a moment.',
        RENAMING_RETRY_AFTER_SECONDS,
      )
    renaming.add(key)
    try {
      return await rename()
    } finally {
      renaming.delete(key)
    }
  }
  const renameEach = async (
    ids: readonly string[],
    photoCredit: string,
    { isAudited }: { isAudited: boolean },
  ): Promise<number> => {
    let renamed = 0
    await changeEach(ids, async (id) => {
      if (await uploads.rename(id, photoCredit, { at: clock(), isAudited })) renamed += 1
    })
    metrics.renamed(renamed)
    return renamed
  }

  /** Throws `notFound` if the guest needs a pass for the event of an upload. */
  const checkPassOf = async (uploadId: string): Promise<void> => {
    const eventId = await uploads.findEventId(uploadId)
    if (eventId) await events.get(eventId)
  }

  return {
    /**
     * One page of an event's uploads, with links to read them, or what of them has changed; the first page has the total of
     * all.
     */
    list: async (
      { _id, timeZone }: EventCopy,
      { order = 'uploaded', ...query }: FeedQuery & { order?: UploadOrder },
    ) => {
      const { limit, after } = query
      const listPage = async () => {
        if (order === 'taken') await uploads.addMissingCaptures(_id, timeZone)
        const page = await uploads.list(_id, { limit, after: after ? decodeCursor(after) : undefined }, order)
        const total = !after && (page.next ? await uploads.total(_id) : totalOf(page.uploads))
        const now = clock()
        return {
          uploads: page.uploads.map((upload) => toUpload(upload, now)),
          ...(page.next && { nextCursor: encodeCursor(page.next) }),
          ...(total && { total }),
        }
      }
      return answer(_id, query, {
        // Live updates tell a member's page to ask: what they are about must be there.
        maxAgeMs: 0,
        view: (upload, now) => (upload.isDeleted ? undefined : toUpload(upload, now)),
        mayHaveSeen: () => true,
        listPage,
      })
    },

    /** All uploads of an event, oldest last, with what was agreed to, as the lines of a CSV file. */
    listConsents: async function* ({ _id }: EventCopy): AsyncGenerator<string> {
      let head = `\uFEFF${toCsvLine(['upload', 'name', 'file', 'uploaded at', 'consent version', 'agreed at'])}`
      let after: Position | undefined
      do {
        const page = await uploads.list(_id, { limit: CSV_PAGE, after }, 'uploaded')
        const lines = page.uploads.map(({ _id: id, photoCredit, originalName, uploadedAt, consent }) =>
          toCsvLine([
            id,
            photoCredit,
            originalName,
            uploadedAt.toISOString(),
            consent?.version ?? '',
            consent?.at ?? '',
          ]),
        )
        yield head + lines.join('')
        head = ''
        after = page.next
      } while (after)
    },

    /**
     * One page of what a guest has sent to an event, without links to originals, or what of it has changed. It is empty
     * without a guest. Throws `notFound` for an unknown event.
     */
    listOfGuest: async (
      guestId: string | undefined,
      { eventId, ...query }: FeedQuery & { eventId: string },
    ) => {
      const { limit, after } = query
      const request = { limit, after: after ? decodeCursor(after) : undefined }
      const event = await events.get(eventId)
      const { _id, save } = event
      if (guestId === undefined) return { body: { uploads: [] } }
      const listPage = async () => {
        const page = await uploads.listByGuest(_id, guestId, request)
        const now = clock()
        return {
          uploads: page.uploads.map((upload) => toGuestUpload(upload, now, event)),
          ...(page.next && { nextCursor: encodeCursor(page.next) }),
        }
      }
      return answer(_id, query, {
        maxAgeMs: MAX_AGE_MS,
        view: (upload, now) =>
          !upload.isDeleted && upload.owners.includes(guestId)
            ? toGuestUpload(upload, now, event)
            : undefined,
        mayHaveSeen: ({ isDeleted, hadOtherOwners }) => isDeleted || hadOtherOwners,
        listPage,
        variant: save,
      })
    },

    /** Shows uploads of an event to guests, or hides them. Returns the ids of those that exist. */
    setVisibility: async (
      { _id }: EventCopy,
      { uploadIds, visibility }: VisibilityChange,
    ): Promise<string[]> => {
      const ids = [...new Set(uploadIds)]
      const found = new Set<string>()
      await changeEach(ids, async (id) => {
        const outcome = await uploads.setVisibility(_id, id, visibility)
        if (outcome !== 'not_found') found.add(id)
        if (outcome === 'changed') metrics.visibilityChanged(visibility)
      })
      return ids.filter((id) => found.has(id))
    },

    /**
     * Gives all that a guest has sent to an event another credit. Returns how many have got it. Throws `invalid` if it is
     * blank or too long, `notFound` if this guest has sent nothing, and `tooManyRequests`.
     */
    renameSent: async (
      guestId: string | undefined,
      { eventId, photoCredit }: { eventId: string; photoCredit: string },
    ): Promise<number> => {
      const credit = parseCredit(photoCredit, config.MAX_CREDIT_CHARACTERS)
      const { _id } = await events.get(eventId)
      if (guestId === undefined) throw uploadNotFound()
      return renameAlone(`${_id}:${guestId}`, async () => {
        await guestLimits.renames.consume(guestId)
        const ids = await uploads.listSentBy(_id, guestId)
        if (ids.length === 0) throw uploadNotFound()
        return renameEach(ids, credit, { isAudited: false })
      })
    },

    /**
     * Gives all uploads of an event under one credit another one. Returns how many have got it: none if the call is repeated.
     * Throws as `renameSent` does, `notFound` if none has either credit.
     */
    renameCredit: async ({ _id }: EventCopy, { from, to }: CreditChange): Promise<number> => {
      const credit = parseCredit(to, config.MAX_CREDIT_CHARACTERS)
      return renameAlone(_id, async () => {
        const ids = await uploads.listUnder(_id, from)
        if (ids.length === 0 && (await uploads.listUnder(_id, credit)).length === 0) throw uploadNotFound()
        return renameEach(ids, credit, { isAudited: true })
      })
    },

    /**
     * Deletes an upload, of an event if one is given: it disappears from all lists at once, and the media worker removes
     * its blobs. Throws `notFound`.
     */
    deleteUpload: async (uploadId: string, event?: EventCopy): Promise<void> => {
      if (!(await uploads.markDeleted(uploadId, clock(), event?._id))) throw uploadNotFound()
    },

    /**
     * Takes an upload back for a guest who has sent it: it disappears from this guest's list, and when the last of those
     * who have sent it takes it back, from all lists at once. It is deleted for good unless it is restored within `UNDO_MS`.
     * Throws `notFound` for everyone else.
     */
    takeBack: async (guestId: string | undefined, uploadId: string): Promise<void> => {
      await checkPassOf(uploadId)
      const isTakenBack = guestId !== undefined && (await uploads.takeBack(uploadId, guestId, clock()))
      if (!isTakenBack) throw uploadNotFound()
      metrics.takenBack()
    },

    /** Restores an upload that a guest took back less than `UNDO_MS` ago. Throws `notFound` later, and for everyone else. */
    restore: async (guestId: string | undefined, uploadId: string): Promise<GuestUpload> => {
      await checkPassOf(uploadId)
      const now = clock()
      const upload = guestId === undefined ? undefined : await uploads.restore(uploadId, guestId, now)
      if (!upload) throw uploadNotFound()
      metrics.restored()
      return toGuestUpload(upload, now, await events.get(upload.eventId))
    },
  }
}
export type Library = ReturnType<typeof createLibrary>
