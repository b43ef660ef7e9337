import type { Text } from '../../texts.ts'
import type { PauseReason } from './backoff.ts'
import type { Progress } from './progress.ts'

export const formatOutcome = (t: Text, { sent, failed, total }: Progress): string =>
  failed === 0 ? t('upload.allSent', { count: total }) : t('upload.someSent', { sent, failed })

/** Returns why sending is paused, or undefined if it is not. */
export const getPauseText = (
  t: Text,
  pauseReason: PauseReason | undefined,
  isOnline: boolean,
): string | undefined => {
  if (!isOnline) return t('upload.paused.offline')
  if (pauseReason === 'server-busy') return t('upload.paused.busy')
  if (pauseReason === 'connection-lost') return t('upload.paused.connectionLost')
  return undefined
}

/** Returns the progress for screen readers. It changes with each quarter and each failure, not with each byte. */
export const getScreenReaderText = (t: Text, progress: Progress): string => {
  const { busy, total, failed, percent } = progress
  if (!busy) return total === 0 ? '' : formatOutcome(t, progress)
  const quarter = Math.floor(percent / 25) * 25
  const sent =
    quarter === 0
      ? t('upload.announce.sending', { count: total })
      : t('upload.announce.percent', { percent: quarter })
  return failed === 0 ? sent : `${sent} ${t('upload.failed.count', { count: failed })}`
}
