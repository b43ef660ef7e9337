import { ApiError } from '@confetti/api-client'
import type { Upload } from '@confetti/contracts'
import { listAll, PAGE, type ListPage } from './list-pages.ts'
import { makeLookout, unfinishedBelow } from './unfinished.ts'
import { keepSame, leavesGap, withNewest } from './upload-order.ts'
import { wakeablePause } from './wakeable-pause.ts'

const NEWEST = 20
const POLL_MS = 4_000
const LONGEST_PAUSE_MS = 60_000
// Links live at least ten minutes.
const LINKS_FRESH_MS = 8 * 60_000
// A picture that fails with a new link fails for another reason than its age.
const RENEW_AT_MOST_EVERY_MS = 20_000

export interface Followed {
  uploads: readonly Upload[]
  /** Whether these are all: false while pages are still to come. */
  whole: boolean
  /** Those that came last while one was looking. */
  arrived: ReadonlySet<string>
}

interface Options {
  listPage: ListPage
  /** How many to ask for first, where a few are enough to begin with. */
  firstPage?: number
  /** Whether all links are kept fresh, or those of the newest alone. */
  allFresh?: boolean
  /** Whether even the first call is one that nobody waits for. */
  quiet?: boolean
  onList: (list: Followed) => void
  /** The list could not be had; it is tried again, unless the event is unknown. */
  onError: (error: unknown) => void
}

/** Whether there is no such event. */
export const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** Follows an event's uploads: all of them first, then what is new, every few seconds while somebody looks. */
export const makeFollower = ({
  listPage,
  firstPage = PAGE,
  allFresh = true,
  quiet = false,
  onList,
  onError,
}: Options) => {
  let list: Followed = { uploads: [], whole: false, arrived: new Set() }
  let loadedAt: number | undefined
  let wake = (): void => undefined
  let reloading: { signal: AbortSignal; done: Promise<void> } | undefined
  const removed = new Set<string>()
  const lookout = makeLookout()

  const show = (uploads: readonly Upload[], whole: boolean, arrived = list.arrived): void => {
    const present = keepSame(
      list.uploads,
      uploads.filter(({ _id }) => !removed.has(_id)),
    )
    if (present === list.uploads && whole === list.whole) return
    list = { uploads: present, whole, arrived }
    onList(list)
  }

  const loadWhole = async (signal: AbortSignal): Promise<void> => {
    const first = loadedAt === undefined
    const onPage = (uploads: readonly Upload[], whole: boolean): void => {
      // A list half loaded does not take the place of a longer one.
      if (!signal.aborted && (whole || (first && uploads.length >= list.uploads.length))) show(uploads, whole)
    }
    const startedAt = Date.now()
    await listAll(listPage, { signal, quiet: quiet || list.uploads.length > 0, firstPage, onPage })
    signal.throwIfAborted()
    loadedAt = startedAt
  }

  const reload = (signal: AbortSignal): Promise<void> => {
    if (reloading && !reloading.signal.aborted) return reloading.done
    const mine = { signal, done: loadWhole(signal) }
    const clear = (): void => {
      if (reloading === mine) reloading = undefined
    }
    mine.done.then(clear, clear)
    reloading = mine
    return mine.done
  }

  const loadNewest = async (signal: AbortSignal): Promise<void> => {
    const before = list.uploads
    let newest: Upload[] = []
    let after: string | undefined
    let unfinished: readonly Upload[] | undefined
    do {
      const query = after ? { limit: PAGE, after } : { limit: NEWEST }
      const page = await listPage(query, { signal, quiet: true })
      newest = [...newest, ...page.uploads]
      after = page.nextCursor
      // Where all links are kept fresh, all uploads are seen.
      if (allFresh && lookout.isDue()) unfinished ??= unfinishedBelow(before, newest)
    } while (after && (leavesGap(before, newest) || unfinishedBelow(unfinished ?? [], newest).length > 0))
    signal.throwIfAborted()
    const known = new Set(list.uploads.map(({ _id }) => _id))
    const arrived = new Set(newest.map(({ _id }) => _id).filter((id) => !known.has(id)))
    const uploads = after ? withNewest(list.uploads, newest) : newest
    show(uploads, true, arrived.size > 0 ? arrived : list.arrived)
    if (unfinished) lookout.looked(unfinished, list.uploads)
  }

  const age = (): number => (loadedAt === undefined ? Infinity : Date.now() - loadedAt)
  const isDue = (): boolean => (allFresh ? age() > LINKS_FRESH_MS : loadedAt === undefined)

  return {
    /** Goes on until the signal says stop, or there is no such event; never rejects. */
    run: async (signal: AbortSignal): Promise<void> => {
      let failures = 0
      const stopped = (): boolean => signal.aborted
      while (!stopped()) {
        try {
          await (isDue() ? reload(signal) : loadNewest(signal))
          failures = 0
        } catch (error) {
          if (stopped()) return
          failures += 1
          onError(error)
          if (isUnknown(error)) return
        }
        const waitMs = Math.min(POLL_MS * 2 ** failures, LONGEST_PAUSE_MS) * (0.8 + 0.4 * Math.random())
        await wakeablePause(waitMs, signal, (wakeNow) => {
          wake = wakeNow
        })
      }
    },
    /** Tries at once what would be tried later. */
    retry: (): void => wake(),
    /** The list with fresh links, unless it has just been loaded. */
    refresh: async (signal: AbortSignal): Promise<readonly Upload[]> => {
      if (age() > RENEW_AT_MOST_EVERY_MS) await reload(signal)
      return list.uploads
    },
    /** An upload that is gone, whatever an answer on its way still says. */
    remove: (id: string): void => {
      removed.add(id)
      show(list.uploads, list.whole)
    },
  }
}
