import type { Event } from '@confetti/contracts'
import { useLocale } from '@confetti/i18n'
import { formatDay } from '@confetti/ui/day'
import styles from './event-dates.module.css'

/** The first and the last day of an event. */
export const EventDates = ({ event }: { event: Pick<Event, 'startDate' | 'endDate'> }) => {
  useLocale()
  return (
    <p className={styles.dates}>
      <time dateTime={event.startDate}>{formatDay(event.startDate)}</time> –{' '}
      <time dateTime={event.endDate}>{formatDay(event.endDate)}</time>
    </p>
  )
}
