import { useEffect } from 'react'

/** Keeps the screen on while `active`, where the browser can and the battery allows. */
export const useKeepAwake = (active: boolean): void => {
  useEffect(() => {
    if (!active || !('wakeLock' in navigator)) return
    let over = false
    let lock: WakeLockSentinel | undefined

    const release = (): void => {
      lock?.release().catch(() => undefined)
    }
    const ask = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return
      // Refused to save the battery: then the screen goes off, and sending goes on when it is on again.
      lock = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (over) release()
    }
    // The browser lets go of it whenever the page is hidden.
    const askAgain = (): void => void ask()

    void ask()
    document.addEventListener('visibilitychange', askAgain)
    return () => {
      over = true
      document.removeEventListener('visibilitychange', askAgain)
      release()
    }
  }, [active])
}
