import { isUnlisted, keepLinks } from '@confetti/album/upload-order'
import { isNotFound } from '@confetti/api-client'
import type { GalleryUpload } from '@confetti/contracts'
import { createStore } from 'zustand'

/** Pages of the whole list. */
const PAGE_SIZE = 500
/** What a wall rotates: the newest ones. */
const MAX_UPLOADS = 2_000
/** Links are valid for 15 minutes at most; the whole list is loaded again before. */
const RELOAD_AFTER_MS = 5 * 60_000
/** What each poll asks for. */
const NEWEST_LIMIT = 50

interface WallPage {
  uploads: GalleryUpload[]
  nextCursor?: string | undefined
}

interface Deps {
  fetchPage: (query: { limit: number; after?: string | undefined }) => Promise<WallPage>
  now: () => number
}

export interface WallState {
  /** `ended`: the link of the wall does not work. */
  status: 'pending' | 'success' | 'ended'
  uploads: readonly GalleryUpload[]
}

interface LoadedPage {
  after: string | undefined
  ids: ReadonlySet<string>
}

/** The uploads that a wall rotates. Its memory is bounded, however many the event has. */
export const createWallList = ({ fetchPage, now }: Deps) => {
  const {
    getState,
    setState: update,
    subscribe,
  } = createStore<WallState>(() => ({ status: 'pending', uploads: [] }))
  let pages: readonly LoadedPage[] = []
  let loadedAt = -Infinity
  let isLive = false
  /** Whether all have been loaded since changes may have been missed. */
  let isComplete = false
  let resets = 0
  let shownIds: readonly string[] = []
  /** What the next refresh should find. */
  const readyIds = new Set<string>()
  /** Removed since the refresh began: its answers may still list them. */
  const removedIds = new Set<string>()
  const setUploads = (uploads: readonly GalleryUpload[]): void => {
    const visible = uploads.filter(({ _id }) => !removedIds.has(_id))
    update({ status: 'success', uploads: visible.slice(0, MAX_UPLOADS) })
  }
  const reset = (): void => {
    resets += 1
    isComplete = false
  }

  const loadAll = async (): Promise<void> => {
    const [requestedAt, resetsBefore] = [now(), resets]
    const loaded: LoadedPage[] = []
    const uploads: GalleryUpload[] = []
    let after: string | undefined
    do {
      const page = await fetchPage({ limit: PAGE_SIZE, ...(after !== undefined && { after }) })
      loaded.push({ after, ids: new Set(page.uploads.map(({ _id }) => _id)) })
      uploads.push(...page.uploads)
      after = page.nextCursor
    } while (after !== undefined && uploads.length < MAX_UPLOADS)
    pages = loaded
    loadedAt = requestedAt
    isComplete = resets === resetsBefore
    setUploads(uploads)
  }

  /** Adds what is new, updates what has changed, and removes what the newest ones lack in their range. */
  const loadNewest = async (): Promise<void> => {
    const page = await fetchPage({ limit: NEWEST_LIMIT })
    const ids = new Set(page.uploads.map(({ _id }) => _id))
    const known = new Map(getState().uploads.map((upload) => [upload._id, upload]))
    const older = getState().uploads.filter((upload) => !ids.has(upload._id) && !isUnlisted(upload, page))
    const current = page.uploads.map((upload) => {
      const before = known.get(upload._id)
      return before ? keepLinks(before, upload) : upload
    })
    setUploads([...current, ...older])
  }

  /** Removes those of the given uploads that are no longer listed. */
  const check = async (ids: readonly string[]): Promise<void> => {
    // The first page has those that have arrived since all were loaded.
    const cursors = new Map(ids.map((id) => [id, pages.find((page) => page.ids.has(id))?.after]))
    for (const after of new Set(cursors.values())) {
      const page = await fetchPage({ limit: PAGE_SIZE, ...(after !== undefined && { after }) })
      const isGone = (upload: GalleryUpload): boolean =>
        cursors.has(upload._id) && cursors.get(upload._id) === after && isUnlisted(upload, page)
      update({ uploads: getState().uploads.filter((upload) => !isGone(upload)) })
    }
  }

  const refresh = async (): Promise<void> => {
    const expectedIds = [...readyIds]
    readyIds.clear()
    removedIds.clear()
    if (!isComplete || now() - loadedAt > RELOAD_AFTER_MS) return loadAll()
    await loadNewest()
    const listed = new Set(getState().uploads.map(({ _id }) => _id))
    // What was approved or prepared long after it was sent is not among the newest.
    if (expectedIds.some((id) => !listed.has(id) && !removedIds.has(id))) return loadAll()
    const below = new Set(
      getState()
        .uploads.slice(NEWEST_LIMIT)
        .map(({ _id }) => _id),
    )
    await check(shownIds.filter((id) => below.has(id)))
  }

  return {
    subscribe,
    getState,
    isLive: (): boolean => isLive,
    /** Whether live updates report every change from now on. */
    setLive: (next: boolean): void => {
      isLive = next
    },
    /** Reports that changes may have been missed: the next refresh loads all. */
    reset,
    /** Reports that guests see an upload now: the next refresh adds it, however old it is. */
    expect: (id: string): void => {
      readyIds.add(id)
    },
    /** Removes an upload that guests do not see any more. */
    remove: (id: string): void => {
      readyIds.delete(id)
      removedIds.add(id)
      update({ uploads: getState().uploads.filter(({ _id }) => _id !== id) })
    },
    /** Which uploads are on the screen. */
    setShown: (ids: readonly string[]): void => {
      shownIds = ids
    },
    /** Removes those of the given uploads that guests do not see any more, unless live updates have done so. */
    confirm: async (ids: readonly string[]): Promise<void> => {
      if (!isLive || !isComplete) await check(ids)
    },
    /** Loads what has changed. One call at a time. */
    refresh: async (): Promise<void> => {
      try {
        await refresh()
      } catch (error) {
        reset()
        if (isNotFound(error)) update({ status: 'ended', uploads: [] })
        throw error
      }
    },
  }
}
export type WallList = ReturnType<typeof createWallList>
