const LOCK_PREFIX = 'confetti-tab-'

/** Creates an id for a tab, or for a run of the service worker. */
export const createTabId = (): string => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`

/**
 * Marks a tab as open while `work` runs, by a lock that the browser releases when the page is left or crashes. Without
 * locks (older browsers, pages without TLS), `work` runs unmarked.
 */
export const whileTabOpen = async (tabId: string, work: () => Promise<void>): Promise<void> => {
  if ('locks' in navigator) await navigator.locks.request(LOCK_PREFIX + tabId, work)
  else await work()
}

/** Marks a tab as open until its page is left. */
export const markTabOpen = (tabId: string): void => {
  whileTabOpen(tabId, () => new Promise(() => undefined)).catch(() => undefined)
}

/** Returns a predicate: whether the tab of an id is open. Without locks, none counts as open. */
export const findOpenTabs = async (): Promise<(tabId: string) => boolean> => {
  const { held = [] } = 'locks' in navigator ? await navigator.locks.query() : {}
  const names = new Set(held.map(({ name }) => name))
  return (tabId) => names.has(LOCK_PREFIX + tabId)
}

/** Resolves when one of the tabs, which are open, is closed. Rejects when the signal aborts. */
export const untilTabCloses = async (tabIds: readonly string[], signal: AbortSignal): Promise<void> => {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  signal.addEventListener('abort', abort)
  try {
    // Several tabs may wait for the same one.
    const options = { mode: 'shared', signal: controller.signal } as const
    await Promise.race(
      tabIds.map((tabId) => navigator.locks.request(LOCK_PREFIX + tabId, options, () => undefined)),
    )
  } finally {
    signal.removeEventListener('abort', abort)
    abort()
  }
}
