import { createListFeed, type Changes, type FeedRequest, type FirstPage } from '@confetti/album/list-feed'
import { isNotFound } from '@confetti/api-client'
import type { GalleryTotal, GalleryUpload } from '@confetti/contracts'
import { api } from '@confetti/session'
import { createStore } from 'zustand'
import {
  addUnseen,
  findChanges,
  findVisiblePages,
  joinPages,
  needsLinks,
  renewPage,
  showUnseen,
  toLoadedPage,
  updatePages,
  type LoadedPage,
  type LoadedPages,
} from './gallery-pages.ts'

// The inline script of the shell's index.html requests the first page with the same.
export const PAGE_SIZE = 60

type Query = FeedRequest & {
  after?: string | undefined
  /** Only uploads of this name. */
  credit?: string | undefined
}

/** Lists uploads of a gallery, newest first, or what has changed. */
export const fetchGallery = (
  eventId: string,
  { headers = {}, onHeaders = () => undefined, ...query }: Query,
  signal: AbortSignal,
) =>
  api().get('/api/events/{eventId}/gallery', {
    params: { eventId },
    query,
    headers,
    onHeaders,
    asGuest: true,
    quiet: true,
    signal,
  })

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
  /** Of all names, also if the list is of one; undefined until it is known. */
  total: GalleryTotal | undefined
}

interface Deps {
  fetchPage: (query: Query) => ReturnType<typeof fetchGallery>
  now: () => number
  /** The total as another list of the gallery knew it. */
  total?: GalleryTotal | undefined
}

const initialState: GalleryState = {
  status: 'pending',
  uploads: [],
  isComplete: false,
  isLoadingMore: false,
  error: undefined,
  newCount: 0,
  total: undefined,
}

/**
 * The list of a gallery. Pages are loaded as far as they are looked at, and then follow the changes of the list. Only those
 * that are looked at get new links. Methods reject when a request fails, after the state says so.
 */
export const createGalleryList = ({ fetchPage: fetchAny, now, total }: Deps) => {
  let loaded: LoadedPages = { pages: [], unseen: [] }
  const { getState, setState: update, subscribe } = createStore(() => ({ ...initialState, total }))
  let range = { first: 0, last: 0 }
  let showsNew = false
  let changedAt = now()
  let reloading: Promise<void> | undefined
  let loading: Promise<void> | undefined
  /** Applies to the page that is being loaded what has changed since it was requested. */
  let applyToNext: (() => void)[] = []

  const fetchPage = async (query: Query) => {
    const answer = await fetchAny(query)
    // Further pages, and earlier versions of the server, have none.
    if (answer.total) update({ total: answer.total })
    return answer
  }
  const feed = createListFeed()

  const setLoaded = (next: LoadedPages): void => {
    if (next === loaded) return
    loaded = next
    const last = loaded.pages.at(-1)
    update({
      status: 'success',
      uploads: joinPages(loaded.pages),
      isComplete: last !== undefined && last.nextCursor === undefined,
      newCount: loaded.unseen.length,
    })
  }
  /** Handles a failed request. A list that is shown stays. */
  const fail = (error: unknown): void => {
    if (isNotFound(error)) {
      loaded = { pages: [], unseen: [] }
      update({ ...initialState, status: 'unavailable' })
    } else if (loaded.pages.length === 0) update({ status: 'error', error })
  }

  const loadFirst = async (): Promise<void> => {
    try {
      const requestedAt = now()
      feed.restart()
      const answer = await feed.read(fetchPage, PAGE_SIZE)
      if (!answer || !('page' in answer)) return
      update({ error: undefined })
      changedAt = now()
      setLoaded({ pages: [toLoadedPage(answer.page, undefined, requestedAt)], unseen: [] })
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

  const showNew = (): void => setLoaded(showUnseen(loaded))

  /** Shows one upload that has become visible. */
  const show = (upload: GalleryUpload): void =>
    setLoaded(showUnseen(addUnseen(loaded, [upload]), ({ _id }) => _id === upload._id))

  const applyChanges = (changes: Changes): void => {
    const next = updatePages(loaded, changes)
    if (next === loaded) return
    changedAt = now()
    setLoaded(next)
  }

  /** Updates a page by a new answer to its request. The page may have changed meanwhile. */
  const applyPage = (after: string | undefined, answer: FirstPage, requestedAt: number): void => {
    const changes = findChanges(loaded, after, answer)
    if (!changes) return
    applyChanges(changes)
    setLoaded(renewPage(loaded, after, { uploads: answer.uploads, requestedAt, now: now() }))
  }

  const loadNext = async (): Promise<void> => {
    const after = loaded.pages.at(-1)?.nextCursor
    if (after === undefined) return
    update({ isLoadingMore: true, error: undefined })
    applyToNext = []
    try {
      const requestedAt = now()
      const page = await fetchPage({ limit: PAGE_SIZE, after })
      // The list may have been loaded again meanwhile.
      if (loaded.pages.at(-1)?.nextCursor === after) {
        const next = toLoadedPage({ nextCursor: undefined, ...page }, after, requestedAt)
        setLoaded({ ...loaded, pages: [...loaded.pages, next] })
        for (const apply of applyToNext) apply()
      }
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
    if (loaded.pages.at(-1)?.nextCursor === undefined) return
    loading = loadNext()
      .then(() => {
        loading = undefined
        loadAhead()
      })
      .catch(() => {
        loading = undefined
      })
  }

  /** As many as a page has, which grows, in steps: the server answers those that ask the same at once. */
  const limitOf = (page: LoadedPage | undefined): number => {
    const count = (page?.uploads.length ?? 0) + loaded.unseen.length
    return Math.min(Math.max(1, Math.ceil(count / PAGE_SIZE)) * PAGE_SIZE, MAX_PAGE_SIZE)
  }

  const readChanges = async (): Promise<void> => {
    const [first] = loaded.pages
    if (first && needsLinks(first, now()) && findVisiblePages(loaded.pages, range).includes(first))
      feed.restart()
    const requestedAt = now()
    const answer = await feed.read(fetchPage, limitOf(first))
    if (!answer) return
    const apply = (): void => {
      if ('changes' in answer) {
        applyChanges(answer.changes)
        return
      }
      // What has changed since, of other pages, is unknown.
      const pages = loaded.pages.map((page) => ({ ...page, isOutdated: page.after !== undefined }))
      loaded = { ...loaded, pages }
      applyPage(undefined, answer.page, requestedAt)
    }
    apply()
    if (loading) applyToNext.push(apply)
  }

  const refresh = async (): Promise<void> => {
    if (getState().status !== 'success') return reload()
    try {
      await readChanges()
      for (const page of findVisiblePages(loaded.pages, range)) {
        if (!page.isOutdated && !needsLinks(page, now())) continue
        const requestedAt = now()
        const { after } = page
        const answer = await fetchPage({ limit: limitOf(page), ...(after !== undefined && { after }) })
        applyPage(after, { nextCursor: undefined, ...answer }, requestedAt)
      }
    } catch (error) {
      fail(error)
      throw error
    }
    if (showsNew) showNew()
  }

  return {
    subscribe,
    getState,
    reload,
    /** Loads what has changed, and new links of what is looked at. */
    refresh,
    /** Shows the uploads that have become visible. */
    showNew,
    show,
    /** When something of it has last changed. */
    getChangedAt: (): number => changedAt,
    /** Whether uploads that have become visible show at once. While false, they are counted. */
    setShowsNew: (shows: boolean): void => {
      showsNew = shows
      if (showsNew) showNew()
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
      const expired = findVisiblePages(loaded.pages, range).filter(isRenewable)
      if (expired.length === 0) return
      const pages = loaded.pages.map((page) =>
        expired.includes(page) ? { ...page, requestedAt: undefined } : page,
      )
      loaded = { ...loaded, pages }
      await refresh()
    },
  }
}
export type GalleryList = ReturnType<typeof createGalleryList>
