import { MB, type Event, type UploadTotal } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { ProgressBar } from '@confetti/ui/progress-bar'
import { formatCount, formatSize } from '../upload.ts'
import { useText, type Text } from '../texts.ts'
import styles from './quota-usage.module.css'

const ALMOST_FULL_PERCENT = 90
const GB = 1_024 * MB

const isInGigabytes = (bytes: number): boolean => bytes >= GB

const formatSizeOf = (t: Text, bytes: number, maxBytes: number): string => {
  if (isInGigabytes(bytes) !== isInGigabytes(maxBytes))
    return t('album.settings.quota.of', { used: formatSize(bytes), max: formatSize(maxBytes) })
  const [id, unit] = isInGigabytes(bytes)
    ? (['album.settings.quota.ofGigabytes', GB] as const)
    : (['album.settings.quota.ofMegabytes', MB] as const)
  return t(id, { used: formatCount(Math.max(0.1, bytes / unit)), max: formatCount(maxBytes / unit) })
}

interface BarProps {
  label: string
  text: string
  percent: number
}

const Bar = ({ label, text, percent }: BarProps) => {
  const t = useText()
  return (
    <div className={styles.quota}>
      <p>
        {text}
        {percent >= 100 && <b> {t('album.settings.quota.full')}</b>}
        {percent >= ALMOST_FULL_PERCENT && percent < 100 && <b> {t('album.settings.quota.almostFull')}</b>}
      </p>
      <ProgressBar label={label} value={percent} />
    </div>
  )
}

interface Props {
  event: Pick<Event, 'settings'>
  /** Undefined until it is known. */
  total: Pick<UploadTotal, 'files' | 'bytes'> | undefined
  /** Loads it again; given if that has failed. */
  onRetry?: (() => void) | undefined
}

/** How much of its quotas an event has used, such as '3.2 of 50 GB'. Nothing for an event without quotas. */
export const QuotaUsage = ({
  event: {
    settings: { maxFiles, maxBytes },
  },
  total,
  onRetry,
}: Props) => {
  const t = useText()
  if (maxFiles === undefined && maxBytes === undefined) return null
  if (onRetry && !total)
    return (
      <p className={styles.error}>
        {t('album.settings.quota.failed')}
        <Button variant="outline" size="small" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      </p>
    )
  const { files, bytes } = total ?? { files: 0, bytes: 0 }
  return (
    <div className={`${styles.quotas} ${total ? '' : styles.pending}`} aria-busy={!total}>
      {maxBytes !== undefined && (
        <Bar
          label={t('album.settings.quota.storage')}
          text={formatSizeOf(t, bytes, maxBytes)}
          percent={(100 * bytes) / maxBytes}
        />
      )}
      {maxFiles !== undefined && (
        <Bar
          label={t('album.settings.quota.files')}
          text={t('album.settings.quota.ofFiles', { used: formatCount(files), max: maxFiles })}
          percent={(100 * files) / maxFiles}
        />
      )}
    </div>
  )
}
