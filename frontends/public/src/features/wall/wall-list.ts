import { applyChanges, createListFeed, type FeedRequest, type FirstPage } from '@confetti/album/list-feed'
import { isNotFound } from '@confetti/api-client'
import type { GalleryUpload } from '@confetti/contracts'
import { createStore } from 'zustand'
import type { fetchWall } from './use-wall.ts'

/** Pages of the whole list. */
const PAGE_SIZE = 500
/** What a wall rotates: the newest ones. */
const MAX_UPLOADS = 2_000
/** Links are valid for at least ten minutes; the whole list is loaded again before. */
const RELOAD_AFTER_MS = 5 * 60_000

interface Deps {
  fetchPage: (query: FeedRequest & { after?: string | undefined }) => ReturnType<typeof fetchWall>
  now: () => number
}

export interface WallState {
  /** `ended`: the link of the wall does not work. */
  status: 'pending' | 'success' | 'ended'
  uploads: readonly GalleryUpload[]
}

/** The uploads that a wall rotates. Its memory is bounded, however many the event has. */
export const createWallList = ({ fetchPage, now }: Deps) => {
  const {
    getState,
    setState: update,
    subscribe,
  } = createStore<WallState>(() => ({ status: 'pending', uploads: [] }))
  const feed = createListFeed()
  let loadedAt = -Infinity
  /** Whether the event has older uploads than the list. */
  let isCut = false
  let isLive = false
  /** Whether no change has been missed since the last answer. */
  let isCurrent = false
  let resets = 0
  let refreshing: Promise<void> | undefined
  /** Removed since the refresh began: its answers may still list them. */
  const removedIds = new Set<string>()

  const setUploads = (uploads: readonly GalleryUpload[]): void => {
    const visible = uploads.filter(({ _id }) => !removedIds.has(_id))
    // One that is shown again would be missed, as the server has told of it.
    if (visible.length < uploads.length) feed.restart()
    isCut ||= visible.length > MAX_UPLOADS
    update({ status: 'success', uploads: visible.slice(0, MAX_UPLOADS) })
  }

  const loadRest = async (first: FirstPage): Promise<void> => {
    const requestedAt = now()
    // Until the last page has been loaded.
    loadedAt = -Infinity
    const uploads = [...first.uploads]
    let after = first.nextCursor
    while (after !== undefined && uploads.length < MAX_UPLOADS) {
      const page = await fetchPage({ limit: PAGE_SIZE, after })
      uploads.push(...page.uploads)
      after = page.nextCursor
    }
    loadedAt = requestedAt
    isCut = after !== undefined
    setUploads(uploads)
  }

  const refresh = async (): Promise<void> => {
    const resetsBefore = resets
    removedIds.clear()
    try {
      if (now() - loadedAt > RELOAD_AFTER_MS) feed.restart()
      const answer = await feed.read(fetchPage, PAGE_SIZE)
      if (answer && 'page' in answer) await loadRest(answer.page)
      else if (answer) {
        const known = getState().uploads
        const { uploads } = applyChanges(known, answer.changes, isCut ? known.at(-1) : undefined)
        if (uploads !== known) setUploads(uploads)
      }
      isCurrent = resets === resetsBefore
    } catch (error) {
      isCurrent = false
      if (isNotFound(error)) {
        loadedAt = -Infinity
        update({ status: 'ended', uploads: [] })
      }
      throw error
    }
  }

  /** Loads what has changed, once for all that ask at the same time. */
  const refreshOnce = (): Promise<void> => {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  return {
    subscribe,
    getState,
    isLive: (): boolean => isLive,
    /** Whether live updates report every change from now on. */
    setLive: (next: boolean): void => {
      isLive = next
    },
    /** Reports that live updates may have missed changes: until the next refresh they do not count. */
    reset: (): void => {
      resets += 1
      isCurrent = false
    },
    /** Removes an upload that guests do not see any more. */
    remove: (id: string): void => {
      removedIds.add(id)
      update({ uploads: getState().uploads.filter(({ _id }) => _id !== id) })
    },
    /** Removes what guests do not see any more, unless live updates have done so. */
    confirm: async (): Promise<void> => {
      if (!isLive || !isCurrent) await refreshOnce()
    },
    refresh: refreshOnce,
  }
}
export type WallList = ReturnType<typeof createWallList>
