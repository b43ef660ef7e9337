import WifiOff from 'lucide-react/icons/wifi-off'
import { ProgressBar } from '@confetti/ui/progress-bar'
import { useText } from '../../texts.ts'
import type { Progress } from './progress.ts'
import styles from './sending-status.module.css'

interface Props {
  progress: Progress
  /** Why sending is paused, if it is. */
  pauseText: string | undefined
}

/** The progress of all files that are being sent. */
export const SendingStatus = ({ progress, pauseText }: Props) => {
  const t = useText()
  const { sent, total, percent } = progress
  return (
    <>
      <p className={styles.line}>
        <b>{t('upload.sending', { number: Math.min(sent + 1, total), total })}</b>
        <span className={styles.aside}>{t('upload.keepOpen')}</span>
      </p>
      <ProgressBar label={t('upload.allFiles')} value={percent} size="thick" />
      {pauseText && (
        <p className={styles.notice}>
          <WifiOff size={18} aria-hidden />
          {pauseText}
        </p>
      )}
    </>
  )
}
