import { useId } from 'react'
import type { Event } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { Skeleton } from '@confetti/ui/skeleton'
import UserRound from 'lucide-react/icons/user-round'
import { useText } from '../../texts.ts'
import styles from './event-card.module.css'
import { EventDates } from './event-dates.tsx'
import { DateBadge } from './date-badge.tsx'

export const EventCard = ({ event }: { event: Event }) => {
  const t = useText()
  const nameId = useId()
  return (
    <Card as="li" className={styles.card}>
      <div className={styles.top}>
        <DateBadge day={event.startDate} />
        <div className={styles.heading}>
          <h2 id={nameId} title={event.name}>
            <bdi>{event.name}</bdi>
          </h2>
          <EventDates event={event} />
        </div>
      </div>
      {event.description && (
        <p className={styles.description}>
          <bdi>{event.description}</bdi>
        </p>
      )}
      <div className={styles.foot}>
        <p className={styles.organiser}>
          <UserRound size={18} aria-hidden />
          <bdi>{event.eventFor.email || t('admin.events.noOrganiser')}</bdi>
        </p>
        <Link
          to={`/events/${event._id}`}
          aria-describedby={nameId}
          className={buttonClass({ variant: 'secondary', size: 'small', wide: true })}
        >
          {t('admin.events.viewDetails')}
        </Link>
      </div>
    </Card>
  )
}

/** A card in the loading state. */
export const EventCardSkeleton = () => (
  <Card as="li" className={styles.card}>
    <div className={styles.top}>
      <Skeleton width="56px" height="64px" radius="10px" />
      <div className={styles.heading}>
        <Skeleton width="72%" height="24px" />
        <Skeleton width="88%" height="16px" />
      </div>
    </div>
    <Skeleton height="48px" />
    <div className={styles.foot}>
      <Skeleton width="60%" height="20px" />
      <Skeleton height="44px" radius="14px" />
    </div>
  </Card>
)
