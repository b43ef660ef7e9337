/**
 * Calls `stop` once: at the first signal to end, or when `run.mjs`, which starts scripts with a channel, has ended, even if
 * it was killed. The channel does not keep the process alive.
 */
export const onStopRequest = (stop: () => void): void => {
  let isRequested = false
  const request = (): void => {
    if (isRequested) return
    isRequested = true
    stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request)
  process.once('disconnect', request)
  process.channel?.unref()
  // It may have ended before.
  if ('connected' in process && !process.connected) request()
}
