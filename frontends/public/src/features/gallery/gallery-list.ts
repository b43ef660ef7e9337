import { isNewer, isUnlisted, keepLinks } from '@confetti/album/upload-order'
import { isNotFound } from '@confetti/api-client'
import type { GalleryUpload } from '@confetti/contracts'
import { api } from '@confetti/session'
import { createStore } from 'zustand'

interface GalleryPage {
  uploads: GalleryUpload[]
  nextCursor?: string | undefined
}

// The inline script of the shell's index.html requests the first page with the same.
export const PAGE_SIZE = 60

interface Query {
  limit: number
  after?: string | undefined
}

/** Lists uploads of a gallery, newest first. */
export const fetchGallery = (eventId: string, query: Query, signal: AbortSignal): Promise<GalleryPage> =>
  api().get('/api/events/{eventId}/gallery', {
    params: { eventId },
    query: { ...query },
    asGuest: true,
    quiet: true,
    signal,
  })

export const reportUpload = (eventId: string, uploadId: string) =>
  api().post('/api/events/{eventId}/gallery/{uploadId}/reports', {
    params: { eventId, uploadId },
    asGuest: true,
    quiet: true,
  })

/** A page of the list that has been loaded. */
interface LoadedPage {
  /** The cursor with which it was requested. */
  after: string | undefined
  nextCursor: string | undefined
  uploads: readonly GalleryUpload[]
  /** When its links were requested; undefined if they are to be renewed. */
  requestedAt: number | undefined
  /** How many uploads it lacks, because they became visible after it was loaded. */
  newCount: number
}

/** How many of the listed uploads belong to a page that lacks them. */
const countNew = ({ uploads, nextCursor }: LoadedPage, listed: readonly GalleryUpload[]): number => {
  const known = new Set(uploads.map(({ _id }) => _id))
  const oldest = nextCursor === undefined ? undefined : uploads.at(-1)
  return listed.filter((upload) => !known.has(upload._id) && (!oldest || isNewer(upload, oldest))).length
}

/**
 * Applies a new response to a page: updates what has changed, removes what is no longer listed, and takes new links if
 * `renewLinks` is set. It adds nothing, so that what is on the screen does not move, but counts what it lacks.
 */
const refreshPage = (
  page: LoadedPage,
  answer: GalleryPage,
  { renewLinks, requestedAt }: { renewLinks: boolean; requestedAt: number },
): LoadedPage => {
  const byId = new Map(answer.uploads.map((upload) => [upload._id, upload]))
  const newCount = countNew(page, answer.uploads)
  let isChanged = renewLinks || newCount !== page.newCount
  const uploads = page.uploads.flatMap((known) => {
    const current = byId.get(known._id)
    if (!current && !isUnlisted(known, answer)) return [known]
    const updated = current && !renewLinks ? keepLinks(known, current) : current
    isChanged ||= updated !== known
    return updated ? [updated] : []
  })
  return isChanged
    ? { ...page, uploads, newCount, requestedAt: renewLinks ? requestedAt : page.requestedAt }
    : page
}

/** All uploads of the pages. One that is in two of them, because others were deleted between the requests, is there once. */
const joinPages = (pages: readonly LoadedPage[]): readonly GalleryUpload[] => [
  ...new Map(pages.flatMap(({ uploads }) => uploads).map((upload) => [upload._id, upload])).values(),
]

/** Links are valid for 15 minutes at most. */
const LINKS_FRESH_MS = 9 * 60_000
/** A picture that fails with a newer link has another problem than an expired link. */
const MIN_RENEW_INTERVAL_MS = 20_000
/** How many uploads before the end of the list the next page is loaded. */
const LOAD_AHEAD = 45
/** What the server lists at once. */
const MAX_PAGE_SIZE = 1_000

interface GalleryState {
  /** `unavailable`: the event has no gallery, or it has not opened yet. */
  status: 'pending' | 'success' | 'error' | 'unavailable'
  uploads: readonly GalleryUpload[]
  isComplete: boolean
  isLoadingMore: boolean
  /** Why the list, or its next page, could not be loaded. */
  error: unknown
  /** How many uploads have become visible that are not shown yet. */
  newCount: number
}

interface Deps {
  fetchPage: (query: { limit: number; after?: string | undefined }) => Promise<GalleryPage>
  now: () => number
}

const initialState: GalleryState = {
  status: 'pending',
  uploads: [],
  isComplete: false,
  isLoadingMore: false,
  error: undefined,
  newCount: 0,
}

/**
 * The list of a gallery. Pages are loaded as far as they are looked at; only those that are looked at are refreshed.
 * Methods reject when a request fails, after the state says so.
 */
export const createGalleryList = ({ fetchPage, now }: Deps) => {
  let pages: readonly LoadedPage[] = []
  const { getState, setState: update, subscribe } = createStore(() => initialState)
  let range = { first: 0, last: 0 }
  let showsNew = false
  let reloading: Promise<void> | undefined
  let loading: Promise<void> | undefined

  const setPages = (next: readonly LoadedPage[]): void => {
    pages = next
    const last = pages.at(-1)
    update({
      status: 'success',
      uploads: joinPages(pages),
      isComplete: last !== undefined && last.nextCursor === undefined,
      newCount: pages.reduce((sum, { newCount }) => sum + newCount, 0),
    })
  }
  /** Handles a failed request. A list that is shown stays. */
  const fail = (error: unknown): void => {
    if (isNotFound(error)) {
      pages = []
      update({ ...initialState, status: 'unavailable' })
    } else if (pages.length === 0) update({ status: 'error', error })
  }

  const request = async (after: string | undefined, limit = PAGE_SIZE): Promise<[GalleryPage, number]> => {
    const requestedAt = now()
    return [await fetchPage({ limit, ...(after !== undefined && { after }) }), requestedAt]
  }

  const loadFirst = async (): Promise<void> => {
    try {
      const [{ uploads, nextCursor }, requestedAt] = await request(undefined)
      update({ error: undefined })
      setPages([{ after: undefined, nextCursor, uploads, requestedAt, newCount: 0 }])
    } catch (error) {
      fail(error)
      throw error
    }
  }

  /** Loads the list from its beginning, once for all that ask at the same time. After a failure it stays as it is. */
  const reload = (): Promise<void> => {
    reloading ??= loadFirst().finally(() => {
      reloading = undefined
    })
    return reloading
  }
  const showNew = async (): Promise<void> => {
    if (showsNew && getState().newCount > 0) await reload()
  }

  const loadNext = async (): Promise<void> => {
    const after = pages.at(-1)?.nextCursor
    if (after === undefined) return
    update({ isLoadingMore: true, error: undefined })
    try {
      const [{ uploads, nextCursor }, requestedAt] = await request(after)
      // The list may have been loaded again meanwhile.
      if (pages.at(-1)?.nextCursor === after)
        setPages([...pages, { after, nextCursor, uploads, requestedAt, newCount: 0 }])
    } catch (error) {
      update({ error })
      fail(error)
      throw error
    } finally {
      update({ isLoadingMore: false })
    }
  }

  const loadAhead = (): void => {
    if (loading || getState().error !== undefined || range.last < getState().uploads.length - LOAD_AHEAD)
      return
    if (pages.at(-1)?.nextCursor === undefined) return
    loading = loadNext()
      .then(() => {
        loading = undefined
        loadAhead()
      })
      .catch(() => {
        loading = undefined
      })
  }

  const refreshOne = async (page: LoadedPage): Promise<void> => {
    const renewLinks = page.requestedAt === undefined || now() - page.requestedAt > LINKS_FRESH_MS
    const limit = Math.min(PAGE_SIZE + page.newCount, MAX_PAGE_SIZE)
    const [listed, requestedAt] = await request(page.after, limit)
    // The list may have been loaded again meanwhile.
    if (!pages.includes(page)) return
    const refreshed = refreshPage(page, listed, { renewLinks, requestedAt })
    if (refreshed !== page) setPages(pages.map((each) => (each === page ? refreshed : each)))
  }

  /** The pages that are looked at. */
  const findVisiblePages = (): readonly LoadedPage[] => {
    let start = 0
    return pages.filter(({ uploads }) => {
      const end = start + uploads.length
      const isVisible = start <= range.last && end > range.first
      start = end
      return isVisible || uploads.length === 0
    })
  }

  const refresh = async (): Promise<void> => {
    if (getState().status !== 'success') return reload()
    try {
      for (const page of findVisiblePages()) await refreshOne(page)
    } catch (error) {
      fail(error)
      throw error
    }
    await showNew()
  }

  return {
    subscribe,
    getState,
    reload,
    /** Refreshes what is looked at. */
    refresh,
    /** Whether uploads that have become visible show at once. While false, they are counted. */
    setShowsNew: (shows: boolean): void => {
      showsNew = shows
      // After a failure the next refresh does the same.
      showNew().catch(() => undefined)
    },
    /** Which uploads are looked at, by their indices. */
    setRange: (first: number, last: number): void => {
      range = { first, last }
      loadAhead()
    },
    /** Loads the next page again after a failure. */
    retryNext: (): void => {
      update({ error: undefined })
      loadAhead()
    },
    /**
     * Renews the links of what is looked at, because a picture has failed to load: once, however many fail. If that fails,
     * the next refresh does it.
     */
    renewLinks: async (): Promise<void> => {
      const isRenewable = ({ requestedAt }: LoadedPage): boolean =>
        requestedAt !== undefined && now() - requestedAt > MIN_RENEW_INTERVAL_MS
      const expired = findVisiblePages().filter(isRenewable)
      if (expired.length === 0) return
      pages = pages.map((page) => (expired.includes(page) ? { ...page, requestedAt: undefined } : page))
      await refresh()
    },
  }
}
export type GalleryList = ReturnType<typeof createGalleryList>
