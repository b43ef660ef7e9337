/** Emitted on `window` at the start and the end of each request. */
const LOADING_EVENT = 'confetti:loading'

interface LoadingDetail {
  /** +1 when a request starts, -1 when it ends. */
  change: 1 | -1
  /** Set for background requests, which the loading overlay ignores. */
  quiet: boolean
}

const emit = (detail: LoadingDetail): void => {
  window.dispatchEvent(new CustomEvent(LOADING_EVENT, { detail }))
}

/** Emits the start of a request. Returns a function that emits its end. */
export const startLoading = (quiet = false): (() => void) => {
  emit({ change: 1, quiet })
  return () => emit({ change: -1, quiet })
}

/**
 * Calls `listener` with the number of requests in flight whenever it changes. Requests that are `quiet` do not count.
 * Returns a function that removes the listener.
 */
export const onLoading = (listener: (inFlight: number) => void): (() => void) => {
  let inFlight = 0
  const handleChange = (event: Event): void => {
    const { change, quiet } = (event as CustomEvent<LoadingDetail>).detail
    if (quiet) return
    inFlight = Math.max(0, inFlight + change)
    listener(inFlight)
  }
  window.addEventListener(LOADING_EVENT, handleChange)
  return () => window.removeEventListener(LOADING_EVENT, handleChange)
}
