/** Keeps the screen on, in browsers with the Screen Wake Lock API. Returns a function that ends it. */
export const keepScreenOn = (): (() => void) => {
  if (!('wakeLock' in navigator)) return () => undefined
  let isEnded = false
  const locks = new Set<WakeLockSentinel>()

  const releaseAll = (): void => {
    for (const lock of locks) lock.release().catch(() => undefined)
    locks.clear()
  }
  const request = async (): Promise<void> => {
    if (document.visibilityState !== 'visible') return
    // A browser that saves battery rejects it. Sending then pauses with the screen off, and resumes afterwards.
    const lock = await navigator.wakeLock.request('screen').catch(() => undefined)
    // Several requests may be pending, if the page was hidden and shown again.
    if (lock) locks.add(lock)
    if (isEnded) releaseAll()
  }
  // The browser releases the lock when the page is hidden.
  const handleVisibilityChange = (): void => void request()

  void request()
  document.addEventListener('visibilitychange', handleVisibilityChange)
  return () => {
    isEnded = true
    document.removeEventListener('visibilitychange', handleVisibilityChange)
    releaseAll()
  }
}
