import { ApiError } from '@confetti/api-client'
import type { GalleryUpload } from '@confetti/contracts'

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
  let state: WallState = { status: 'pending', uploads: [] }
  let pages: readonly LoadedPage[] = []
  let loadedAt = -Infinity
  const listeners = new Set<() => void>()
  const update = (next: WallState): void => {
    state = next
    for (const listener of listeners) listener()
  }

  const loadAll = async (): Promise<void> => {
    const requestedAt = now()
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
    update({ status: 'success', uploads: uploads.slice(0, MAX_UPLOADS) })
  }

  /** Adds what is new, and removes what the newest ones lack in their range. */
  const loadNewest = async (): Promise<void> => {
    const { uploads: newest, nextCursor } = await fetchPage({ limit: NEWEST_LIMIT })
    const ids = new Set(newest.map(({ _id }) => _id))
    const oldest = nextCursor === undefined ? undefined : newest.at(-1)
    const known = new Map(state.uploads.map((upload) => [upload._id, upload]))
    const older = oldest
      ? state.uploads.filter(
          ({ _id, uploadedAt }) => !ids.has(_id) && uploadedAt <= oldest.uploadedAt && _id !== oldest._id,
        )
      : []
    // Known ones keep their links, so that their pictures are not downloaded again.
    const current = newest.map((upload) => {
      const before = known.get(upload._id)
      const hasNewVideo = upload.videoUrl !== undefined && before?.videoUrl === undefined
      return before && !hasNewVideo ? before : upload
    })
    update({ status: 'success', uploads: [...current, ...older].slice(0, MAX_UPLOADS) })
  }

  /** Removes those of the given uploads that are no longer listed. */
  const checkShown = async (shownIds: readonly string[]): Promise<void> => {
    const { uploads } = state
    const below = new Set(uploads.slice(NEWEST_LIMIT).map(({ _id }) => _id))
    const toCheck = pages.filter(({ ids }) => shownIds.some((id) => below.has(id) && ids.has(id)))
    for (const { after, ids } of toCheck) {
      const page = await fetchPage({ limit: PAGE_SIZE, ...(after !== undefined && { after }) })
      const listed = new Set(page.uploads.map((upload) => upload._id))
      const isGone = (id: string): boolean => shownIds.includes(id) && ids.has(id) && !listed.has(id)
      update({ ...state, uploads: state.uploads.filter(({ _id }) => !isGone(_id)) })
    }
  }

  return {
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getState: (): WallState => state,
    /** Removes an upload that guests do not see any more. */
    remove: (id: string): void => {
      update({ ...state, uploads: state.uploads.filter(({ _id }) => _id !== id) })
    },
    /** Brings the list up to date. `shownIds` are on the screen, or next. */
    refresh: async (shownIds: readonly string[]): Promise<void> => {
      try {
        if (now() - loadedAt > RELOAD_AFTER_MS) await loadAll()
        else {
          await loadNewest()
          await checkShown(shownIds)
        }
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) update({ status: 'ended', uploads: [] })
        throw error
      }
    },
  }
}
export type WallList = ReturnType<typeof createWallList>
