const LOCK_PREFIX = 'confetti-tab-'

/** The id of this tab, until its page is left. */
export const TAB_ID = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`

let isMarked = false

/** Marks this tab as open, by a lock that the browser releases when the page is left or crashes. */
export const markTabOpen = (): void => {
  if (isMarked || !('locks' in navigator)) return
  isMarked = true
  navigator.locks.request(LOCK_PREFIX + TAB_ID, () => new Promise(() => undefined)).catch(() => undefined)
}

/**
 * Returns a function that tells whether the tab of an id is open. Without locks (older browsers, pages without TLS) only
 * this tab counts as open.
 */
export const findOpenTabs = async (): Promise<(tabId: string) => boolean> => {
  const { held = [] } = 'locks' in navigator ? await navigator.locks.query() : {}
  const names = new Set(held.map(({ name }) => name))
  return (tabId) => tabId === TAB_ID || names.has(LOCK_PREFIX + tabId)
}
