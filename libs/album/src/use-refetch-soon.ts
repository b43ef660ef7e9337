import { useCallback, useEffect, useRef } from 'react'

/** In a burst of changes one request asks for all of them. */
const DELAY_MS = 500

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
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(() => {
    const run = (): void => {
      timer.current = undefined
      if (document.visibilityState === 'hidden') return
      if (latest.current.isFetching()) timer.current = setTimeout(run, DELAY_MS)
      else latest.current.refetch()
    }
    timer.current ??= setTimeout(run, DELAY_MS)
  }, [])
}
