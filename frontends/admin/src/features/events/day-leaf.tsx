import styles from './day-leaf.module.css'

const month = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' })

/** A leaf of a calendar, as a picture: what it says stands beside it in words. */
export const DayLeaf = ({ day }: { day: string }) => (
  <span aria-hidden="true" className={styles.leaf}>
    <span>{month.format(new Date(`${day}T00:00:00Z`))}</span>
    <b>{Number(day.slice(-2))}</b>
  </span>
)
