import type { Event, GuestEvent } from '@confetti/contracts'
import { Card } from '@confetti/ui/card'
import { formatDay } from '@confetti/ui/day'
import { useText } from '../../texts.ts'
import { DateBadge } from './date-badge.tsx'
import styles from './event-summary.module.css'

interface Props {
  event: GuestEvent & Partial<Pick<Event, 'organisers' | 'deleteAt'>>
}

/** The dates, description, organiser and upload status of an event. */
export const EventCopy = ({ event }: Props) => {
  const t = useText()
  const { organisers = [] } = event
  return (
    <Card className={styles.summary}>
      <div className={styles.dates}>
        <DateBadge day={event.startDate} />
        <dl>
          <div>
            <dt>{t('admin.events.details.starts')}</dt>
            <dd>
              <time dateTime={event.startDate}>{formatDay(event.startDate)}</time>
            </dd>
          </div>
          <div>
            <dt>{t('admin.events.details.ends')}</dt>
            <dd>
              <time dateTime={event.endDate}>{formatDay(event.endDate)}</time>
            </dd>
          </div>
        </dl>
      </div>
      {event.description && (
        <p className={styles.description}>
          <bdi>{event.description}</bdi>
        </p>
      )}
      <dl className={styles.more}>
        {organisers.length > 0 && (
          <div>
            <dt>{t('admin.events.details.organisers', { count: organisers.length })}</dt>
            <dd>
              <bdi>{organisers.map(({ email }) => email).join(', ')}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{t('admin.events.details.uploads')}</dt>
          <dd>{event.uploadsOpen ? t('admin.events.details.open') : t('admin.events.details.closed')}</dd>
        </div>
        {event.deleteAt && (
          <div>
            <dt>{t('admin.events.details.deletedOn')}</dt>
            <dd>{formatDay(event.deleteAt.slice(0, 10))}</dd>
          </div>
        )}
      </dl>
    </Card>
  )
}
