import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Event } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { getFailureText } from '@confetti/ui/failure-text'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useText } from '../../texts.ts'
import { EventCard, EventCardSkeleton } from './event-card.tsx'
import styles from './event-list.module.css'
import { eventsQuery, type Phase } from './events-api.ts'

const emptyHints = {
  active: 'admin.events.empty.active',
  upcoming: 'admin.events.empty.upcoming',
  past: 'admin.events.empty.past',
} as const

interface ContentProps extends Pick<UseQueryResult<Event[]>, 'error' | 'refetch'> {
  phase: Phase
  events: readonly Event[] | undefined
}

const EventListContent = ({ phase, events, error, refetch }: ContentProps) => {
  const t = useText()
  const errorMessage = error ? getFailureText(error) : undefined
  useErrorNotice(errorMessage)

  if (errorMessage !== undefined)
    return (
      <EmptyState title={t('admin.events.failed')}>
        <p>{errorMessage}</p>
        <Button icon={<RotateCw size={18} aria-hidden />} onClick={() => void refetch()}>
          {t('common.retry')}
        </Button>
      </EmptyState>
    )
  if (events?.length === 0)
    return (
      <EmptyState title={t('admin.events.empty')}>
        <p>{t(emptyHints[phase])}</p>
        <Link to="/events/create" className={buttonClass({ variant: 'secondary' })}>
          {t('admin.events.empty.create')}
        </Link>
      </EmptyState>
    )
  return (
    <ul className={styles.grid} aria-busy={!events}>
      {events
        ? events.map((event) => <EventCard key={event._id} event={event} />)
        : [1, 2, 3].map((key) => <EventCardSkeleton key={key} />)}
    </ul>
  )
}

/** The events of one phase, as cards. */
export const EventList = ({ phase }: { phase: Phase }) => {
  const { data: events, error, refetch } = useQuery(eventsQuery(phase))
  return (
    <KeepFocus>
      <EventListContent phase={phase} events={events} error={error} refetch={refetch} />
    </KeepFocus>
  )
}
