/** Resolves when the page is visible, or when the signal aborts. */
export const untilPageVisible = async (signal: AbortSignal): Promise<void> => {
  if (document.visibilityState === 'visible' || signal.aborted) return
  await new Promise<void>((resolve) => {
    const stop = (): void => {
      document.removeEventListener('visibilitychange', check)
      resolve()
    }
    const check = (): void => {
      if (document.visibilityState === 'visible') stop()
    }
    document.addEventListener('visibilitychange', check)
    signal.addEventListener('abort', stop)
  })
}
