import type { Event, UploadTotal } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { ProgressBar } from '@confetti/ui/progress-bar'
import { formatCount, formatSize } from '../format-size.ts'
import styles from './quota-usage.module.css'

const ALMOST_FULL_PERCENT = 90

const formatSizeOf = (bytes: number, maxBytes: number): string => {
  const [used = '', unit] = formatSize(bytes).split(' ')
  const max = formatSize(maxBytes)
  return max.endsWith(` ${unit}`) ? `${used} of ${max}` : `${used} ${unit} of ${max}`
}

interface BarProps {
  label: string
  text: string
  percent: number
}

const Bar = ({ label, text, percent }: BarProps) => (
  <div className={styles.quota}>
    <p>
      {text}
      {percent >= 100 && <b> Full: guests can't send more.</b>}
      {percent >= ALMOST_FULL_PERCENT && percent < 100 && <b> Almost full.</b>}
    </p>
    <ProgressBar label={label} value={percent} />
  </div>
)

interface Props {
  event: Pick<Event, 'settings'>
  /** Undefined until it is known. */
  total: Pick<UploadTotal, 'files' | 'bytes'> | undefined
  /** Loads it again; given if that has failed. */
  onRetry?: (() => void) | undefined
}

/** How much of its quotas an event has used, such as '3.2 of 50 GB'. Nothing for an event without quotas. */
export const QuotaUsage = ({ event: { settings: { maxFiles, maxBytes } = {} }, total, onRetry }: Props) => {
  if (maxFiles === undefined && maxBytes === undefined) return null
  if (onRetry && !total)
    return (
      <p className={styles.error}>
        Couldn't load how much is used.
        <Button variant="outline" size="small" onClick={onRetry}>
          Retry
        </Button>
      </p>
    )
  const { files, bytes } = total ?? { files: 0, bytes: 0 }
  return (
    <div className={`${styles.quotas} ${total ? '' : styles.pending}`} aria-busy={!total}>
      {maxBytes !== undefined && (
        <Bar label="Storage used" text={formatSizeOf(bytes, maxBytes)} percent={(100 * bytes) / maxBytes} />
      )}
      {maxFiles !== undefined && (
        <Bar
          label="Files used"
          text={`${formatCount(files)} of ${formatCount(maxFiles)} ${maxFiles === 1 ? 'file' : 'files'}`}
          percent={(100 * files) / maxFiles}
        />
      )}
    </div>
  )
}
