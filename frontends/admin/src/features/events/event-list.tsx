import { useCallback } from 'react'
import { messageOf } from '@confetti/api-client'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { notifyError } from '@confetti/ui/notify'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { EventCard, EventCardSkeleton } from './event-card.tsx'
import styles from './event-list.module.css'
import { fetchEvents, type Phase } from './events-api.ts'
import { useAnswer } from '../../use-answer.ts'

const whatIsMissing: Record<Phase, string> = {
  active: 'Nothing is going on today. What comes next is under Upcoming, or make an event that starts today.',
  upcoming: 'Nothing is planned yet. Make the next event, and its QR code is ready at once.',
  past: 'Events come here on the day after their end date.',
}

const say = (error: unknown): void => notifyError(messageOf(error))

/** The events of one phase, as cards. */
export const EventList = ({ phase }: { phase: Phase }) => {
  const ask = useCallback((signal: AbortSignal) => fetchEvents(phase, signal), [phase])
  const { retry, ...answer } = useAnswer(ask, say)

  if (answer.status === 'failed')
    return (
      <EmptyState title="The events could not be loaded.">
        <p>{messageOf(answer.error)}</p>
        <Button icon={<RotateCw size={18} aria-hidden />} onClick={retry}>
          Retry
        </Button>
      </EmptyState>
    )
  if (answer.status === 'there' && answer.value.length === 0)
    return (
      <EmptyState title="No events available.">
        <p>{whatIsMissing[phase]}</p>
        <Link to="/events/create" className={buttonClass({ look: 'quiet' })}>
          Create an event
        </Link>
      </EmptyState>
    )
  return (
    <ul className={styles.grid} aria-busy={answer.status === 'waiting'}>
      {answer.status === 'waiting'
        ? [1, 2, 3].map((place) => <EventCardSkeleton key={place} />)
        : answer.value.map((event) => <EventCard key={event._id} event={event} />)}
    </ul>
  )
}
