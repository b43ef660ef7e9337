/** Keeps the screen on, in browsers with the Screen Wake Lock API. Returns a function that ends it. */
export const keepScreenOn = (): (() => void) => {
  if (!('wakeLock' in navigator)) return () => undefined
  let isEnded = false
  let lock: WakeLockSentinel | undefined

  const release = (): void => {
    lock?.release().catch(() => undefined)
  }
  const request = async (): Promise<void> => {
    if (document.visibilityState !== 'visible') return
    // A browser that saves battery rejects it. Sending then pauses with the screen off, and resumes afterwards.
    lock = await navigator.wakeLock.request('screen').catch(() => undefined)
    if (isEnded) release()
  }
  // The browser releases the lock when the page is hidden.
  const handleVisibilityChange = (): void => void request()

  void request()
  document.addEventListener('visibilitychange', handleVisibilityChange)
  return () => {
    isEnded = true
    document.removeEventListener('visibilitychange', handleVisibilityChange)
    release()
  }
}
