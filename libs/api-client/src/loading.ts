/** Emitted on `window` at the start and the end of each request. */
const LOADING_EVENT = 'confetti:loading'

interface LoadingDetail {
  /** +1 when a request starts, -1 when it ends. */
  change: 1 | -1
  /** Set for work in the background that shows its own progress, which the overlay leaves alone. */
  quiet: boolean
}

const emit = (detail: LoadingDetail): void => {
  window.dispatchEvent(new CustomEvent(LOADING_EVENT, { detail }))
}

/** Says that a request starts; the function it returns says that it ended. */
export const startLoading = (quiet = false): (() => void) => {
  emit({ change: 1, quiet })
  return () => emit({ change: -1, quiet })
}

/** Calls `listener` with the number of requests under way that are not quiet, whenever it changes. */
export const onLoading = (listener: (underWay: number) => void): (() => void) => {
  let underWay = 0
  const hear = (event: Event): void => {
    const { change, quiet } = (event as CustomEvent<LoadingDetail>).detail
    if (quiet) return
    underWay = Math.max(0, underWay + change)
    listener(underWay)
  }
  window.addEventListener(LOADING_EVENT, hear)
  return () => window.removeEventListener(LOADING_EVENT, hear)
}
