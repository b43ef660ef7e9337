/** A pause that ends early when the connection or the reader comes back; while nobody looks, it does not end. */
export const wakeablePause = (
  ms: number,
  signal: AbortSignal,
  onWakeable: (wake: () => void) => void,
): Promise<void> =>
  new Promise((resolve) => {
    const timer = document.hidden ? undefined : setTimeout(() => wake(), ms)
    const wake = (): void => {
      clearTimeout(timer)
      window.removeEventListener('online', wake)
      document.removeEventListener('visibilitychange', wakeIfSeen)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const wakeIfSeen = (): void => {
      if (!document.hidden) wake()
    }
    window.addEventListener('online', wake)
    document.addEventListener('visibilitychange', wakeIfSeen)
    signal.addEventListener('abort', wake)
    onWakeable(wake)
  })
