import styles from './date-badge.module.css'

const month = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' })

/** A calendar date as decoration; the date is also shown as text beside it. */
export const DateBadge = ({ day }: { day: string }) => (
  <span aria-hidden="true" className={styles.badge}>
    <span>{month.format(new Date(`${day}T00:00:00Z`))}</span>
    <b>{Number(day.slice(-2))}</b>
  </span>
)
