import { useCallback, useEffect, useRef, useState } from 'react'
import type { Upload } from '@confetti/contracts'
import { isUnknown, makeFollower, type Followed } from './follow-uploads.ts'
import type { ListPage } from './list-pages.ts'

export { listAll, type ListPage } from './list-pages.ts'

export interface Uploads extends Followed {
  /** `unknown` where there is no such event: it is not asked for again. */
  status: 'loading' | 'ready' | 'failed' | 'unknown'
  /** Why there is no list. */
  error: unknown
  /** Tries again at once. */
  retry: () => void
  /** Resolves with the list and fresh links. */
  refresh: () => Promise<readonly Upload[]>
  /** Takes an upload out of the list. */
  remove: (id: string) => void
}

interface Options {
  /** Asks for so many first, and keeps the links of the newest alone fresh: enough where only those show. */
  newestFirst?: number
  /** Pauses while false. */
  enabled?: boolean
}

const nothing: Followed = { uploads: [], whole: false, arrived: new Set() }

/**
 * An event's uploads, newest first, kept up to date while the page is open and seen. `listPage` has to stay the same
 * from one drawing to the next.
 */
export const useUploads = (listPage: ListPage, { newestFirst, enabled = true }: Options = {}): Uploads => {
  const [list, setList] = useState<Followed>()
  const [error, setError] = useState<unknown>()
  const follower = useRef<ReturnType<typeof makeFollower>>(undefined)
  const stop = useRef<AbortController>(undefined)

  useEffect(() => {
    follower.current = makeFollower({
      listPage,
      ...(newestFirst && { firstPage: newestFirst, allFresh: false, quiet: true }),
      onList: (next) => {
        setError(undefined)
        setList(next)
      },
      onError: setError,
    })
  }, [listPage, newestFirst])

  useEffect(() => {
    if (!enabled) return
    const controller = new AbortController()
    stop.current = controller
    void follower.current?.run(controller.signal)
    return () => controller.abort()
  }, [enabled, listPage, newestFirst])

  const refresh = useCallback(async () => {
    const { signal } = stop.current ?? new AbortController()
    return (await follower.current?.refresh(signal)) ?? []
  }, [])
  const retry = useCallback(() => {
    setError(undefined)
    follower.current?.retry()
  }, [])
  const remove = useCallback((id: string) => follower.current?.remove(id), [])

  const withoutList = error === undefined ? 'loading' : 'failed'
  const status = isUnknown(error) ? 'unknown' : list ? 'ready' : withoutList
  return { ...(list ?? nothing), status, error, retry, refresh, remove }
}
