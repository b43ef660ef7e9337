import WifiOff from 'lucide-react/icons/wifi-off'
import { ProgressBar } from '@confetti/ui/progress-bar'
import type { Progress } from './progress.ts'
import styles from './sending-status.module.css'

interface Props {
  progress: Progress
  /** Why sending is paused, if it is. */
  pauseText: string | undefined
}

/** The progress of all files that are being sent. */
export const SendingStatus = ({ progress, pauseText }: Props) => (
  <>
    <p className={styles.line}>
      <b>
        Sending {Math.min(progress.sent + 1, progress.total)} of {progress.total}
      </b>
      <span className={styles.aside}>keep this page open</span>
    </p>
    <ProgressBar label="All files" value={progress.percent} size="thick" />
    {pauseText && (
      <p className={styles.notice}>
        <WifiOff size={18} aria-hidden />
        {pauseText}
      </p>
    )}
  </>
)
