import type { Event, GuestEvent } from '@confetti/contracts'
import { Card } from '@confetti/ui/card'
import { formatDay } from '@confetti/ui/day'
import { DateBadge } from './date-badge.tsx'
import styles from './event-summary.module.css'

interface Props {
  event: GuestEvent & Partial<Pick<Event, 'eventFor' | 'organisers' | 'deleteAt'>>
}

/** The dates, description, organiser and upload status of an event. */
export const EventSummary = ({ event }: Props) => {
  const organisers = event.organisers ?? (event.eventFor ? [event.eventFor] : [])
  return (
    <Card className={styles.summary}>
      <div className={styles.dates}>
        <DateBadge day={event.startDate} />
        <dl>
          <div>
            <dt>Starts</dt>
            <dd>
              <time dateTime={event.startDate}>{formatDay(event.startDate)}</time>
            </dd>
          </div>
          <div>
            <dt>Ends</dt>
            <dd>
              <time dateTime={event.endDate}>{formatDay(event.endDate)}</time>
            </dd>
          </div>
        </dl>
      </div>
      {event.description && <p className={styles.description}>{event.description}</p>}
      <dl className={styles.more}>
        {organisers.length > 0 && (
          <div>
            <dt>{organisers.length === 1 ? 'Organiser' : 'Organisers'}</dt>
            <dd>{organisers.map(({ email }) => email).join(', ')}</dd>
          </div>
        )}
        <div>
          <dt>Guest uploads</dt>
          <dd>{event.uploadsOpen ? 'Open' : 'Closed'}</dd>
        </div>
        {event.deleteAt && (
          <div>
            <dt>Deleted on</dt>
            <dd>{formatDay(event.deleteAt.slice(0, 10))}</dd>
          </div>
        )}
      </dl>
    </Card>
  )
}
