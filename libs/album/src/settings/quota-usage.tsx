import { MB, type Event, type UploadTotal } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { ProgressBar } from '@confetti/ui/progress-bar'
import { formatCount, formatSize, formatUnits } from '../upload.ts'
import { useText, type Text } from '../texts.ts'
import styles from './quota-usage.module.css'

/** From here on an event is almost full, which the pages of its photos show, too. */
const ALMOST_FULL_PERCENT = 80
const GB = 1_024 * MB

const isInGigabytes = (bytes: number): boolean => bytes >= GB

const formatSizeOf = (t: Text, bytes: number, maxBytes: number): string => {
  if (isInGigabytes(bytes) !== isInGigabytes(maxBytes))
    return t('album.settings.quota.of', { used: formatSize(bytes), max: formatSize(maxBytes) })
  const [id, unit] = isInGigabytes(bytes)
    ? (['album.settings.quota.ofGigabytes', GB] as const)
    : (['album.settings.quota.ofMegabytes', MB] as const)
  return t(id, { used: formatUnits(bytes, unit), max: formatCount(maxBytes / unit) })
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

type Limits = Pick<Event, 'settings'>
type Used = Pick<UploadTotal, 'files' | 'bytes'>

/** The bars of the quotas that an event has, from `minPercent` on. */
const listBars = (t: Text, { settings: { maxFiles, maxBytes } }: Limits, used: Used, minPercent = 0) => {
  const { files, bytes } = used
  const bars: BarProps[] = []
  if (maxBytes !== undefined)
    bars.push({
      label: t('album.settings.quota.storage'),
      text: formatSizeOf(t, bytes, maxBytes),
      percent: (100 * bytes) / maxBytes,
    })
  if (maxFiles !== undefined)
    bars.push({
      label: t('album.settings.quota.files'),
      text: t('album.settings.quota.ofFiles', { used: formatCount(files), max: maxFiles }),
      percent: (100 * files) / maxFiles,
    })
  return bars.filter(({ percent }) => percent >= minPercent)
}

interface Props {
  event: Limits
  /** Undefined until it is known. */
  total: Used | undefined
  /** Loads it again; given if that has failed. */
  onRetry?: (() => void) | undefined
}

/** How much of its quotas an event has used, such as '3.2 of 50 GB'. Nothing for an event without quotas. */
export const QuotaUsage = ({ event, total, onRetry }: Props) => {
  const t = useText()
  const bars = listBars(t, event, total ?? { files: 0, bytes: 0 })
  if (bars.length === 0) return null
  if (onRetry && !total)
    return (
      <p className={styles.error}>
        {t('album.settings.quota.failed')}
        <Button variant="outline" size="small" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      </p>
    )
  return (
    <div className={`${styles.quotas} ${total ? '' : styles.pending}`} aria-busy={!total}>
      {bars.map((bar) => (
        <Bar key={bar.label} {...bar} />
      ))}
    </div>
  )
}

/** The quotas of an event that are almost or entirely used. Nothing while there is space. */
export const QuotaWarning = ({ event, total }: Pick<Props, 'event' | 'total'>) => {
  const t = useText()
  const bars = total ? listBars(t, event, total, ALMOST_FULL_PERCENT) : []
  if (bars.length === 0) return null
  return (
    <div className={styles.quotas}>
      {bars.map((bar) => (
        <Bar key={bar.label} {...bar} />
      ))}
    </div>
  )
}
