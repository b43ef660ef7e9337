import type { Event, GuestEvent } from '@confetti/contracts'
import { Card } from '@confetti/ui/card'
import { formatDay } from '@confetti/ui/day'
import { DayLeaf } from './day-leaf.tsx'
import styles from './event-facts.module.css'

/** When an event is, what it is, and whose. */
export const EventFacts = ({ event }: { event: GuestEvent & Partial<Pick<Event, 'eventFor'>> }) => (
  <Card className={styles.facts}>
    <div className={styles.when}>
      <DayLeaf day={event.startDate} />
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
