import type { PauseReason } from './backoff.ts'
import type { Progress } from './progress.ts'

/** Formats a number of files: '1 file', '3 files'. */
export const formatFileCount = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`

export const formatOutcome = ({ sent, failed, total }: Progress): string =>
  failed === 0 ? `${formatFileCount(total)} uploaded.` : `${sent} uploaded, ${failed} failed.`

/** Returns why sending is paused, or undefined if it is not. */
export const getPauseText = (pauseReason: PauseReason | undefined, isOnline: boolean): string | undefined => {
  if (!isOnline) return "You're offline. Sending will resume automatically when you're back online."
  if (pauseReason === 'server-busy') return 'The server is busy. Sending will resume automatically.'
  if (pauseReason === 'connection-lost') return 'Connection lost. Sending will resume automatically.'
  return undefined
}

/** Returns the progress for screen readers. It changes with each quarter and each failure, not with each byte. */
export const getScreenReaderText = (progress: Progress): string => {
  const { busy, total, failed, percent } = progress
  if (!busy) return total === 0 ? '' : formatOutcome(progress)
  const quarter = Math.floor(percent / 25) * 25
  const sent = quarter === 0 ? `Sending ${formatFileCount(total)}.` : `${quarter} % sent.`
  return failed === 0 ? sent : `${sent} ${formatFileCount(failed)} failed.`
}
