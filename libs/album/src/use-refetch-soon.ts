import { useCallback, useEffect, useRef } from 'react'

/** In a burst of changes one request asks for all of them. */
const DELAY_MS = 500
/** While changes go on, data is loaded again at most this often. */
const MIN_INTERVAL_MS = 2_000

interface Options {
  /** Whether a request is in progress, whose answer may be older than the change. */
  isFetching: () => boolean
  refetch: () => void
}

/** Returns a function that loads data again soon, once for all calls until then. A hidden page does so when it is shown. */
export const useRefetchSoon = (options: Options): (() => void) => {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const loadedAt = useRef(-Infinity)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(() => {
    const run = (): void => {
      timer.current = undefined
      if (document.visibilityState === 'hidden') return
      if (latest.current.isFetching()) timer.current = setTimeout(run, DELAY_MS)
      else {
        loadedAt.current = Date.now()
        latest.current.refetch()
      }
    }
    const dueInMs = loadedAt.current + MIN_INTERVAL_MS - Date.now()
    timer.current ??= setTimeout(run, Math.max(DELAY_MS, dueInMs))
  }, [])
}
