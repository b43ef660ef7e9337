import { getFormatLocale, useLocale } from '@confetti/i18n'
import styles from './date-badge.module.css'

/** A calendar date as decoration; the date is also shown as text beside it. */
export const DateBadge = ({ day }: { day: string }) => {
  const formatLocale = getFormatLocale(useLocale())
  const date = new Date(`${day}T00:00:00Z`)
  return (
    <span aria-hidden="true" className={styles.badge}>
      <span>{date.toLocaleDateString(formatLocale, { month: 'short', timeZone: 'UTC' })}</span>
      <b>{date.getUTCDate().toLocaleString(formatLocale)}</b>
    </span>
  )
}
