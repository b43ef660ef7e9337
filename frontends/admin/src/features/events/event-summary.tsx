import type { Event, GuestEvent } from '@confetti/contracts'
import { Card } from '@confetti/ui/card'
import { formatDay } from '@confetti/ui/day'
import { DateBadge } from './date-badge.tsx'
import styles from './event-summary.module.css'

/** The dates, description, organiser and upload status of an event. */
export const EventSummary = ({ event }: { event: GuestEvent & Partial<Pick<Event, 'eventFor'>> }) => (
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
      {event.eventFor && (
        <div>
          <dt>Organiser</dt>
          <dd>{event.eventFor.email}</dd>
        </div>
      )}
      <div>
        <dt>Guest uploads</dt>
        <dd>{event.uploadsOpen ? 'Open' : 'Closed'}</dd>
      </div>
    </dl>
  </Card>
)
