import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { getErrorMessage } from '@confetti/api-client'
import type { Event } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { KeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { EventCard, EventCardSkeleton } from './event-card.tsx'
import styles from './event-list.module.css'
import { eventsQuery, type Phase } from './events-api.ts'

const emptyHints: Record<Phase, string> = {
  active: 'No event is active today. See Upcoming, or create an event that starts today.',
  upcoming: 'Nothing is planned yet. Create the next event to get its QR code.',
  past: 'Events appear here on the day after their end date.',
}

interface ContentProps extends Pick<UseQueryResult<Event[]>, 'error' | 'refetch'> {
  phase: Phase
  events: readonly Event[] | undefined
}

const EventListContent = ({ phase, events, error, refetch }: ContentProps) => {
  const errorMessage = error ? getErrorMessage(error) : undefined
  useErrorNotice(errorMessage)

  if (errorMessage !== undefined)
    return (
      <EmptyState title="Couldn't load events.">
        <p>{errorMessage}</p>
        <Button icon={<RotateCw size={18} aria-hidden />} onClick={() => void refetch()}>
          Retry
        </Button>
      </EmptyState>
    )
  if (events?.length === 0)
    return (
      <EmptyState title="No events available.">
        <p>{emptyHints[phase]}</p>
        <Link to="/events/create" className={buttonClass({ variant: 'secondary' })}>
          Create an event
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
