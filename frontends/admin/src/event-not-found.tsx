import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'

/** Shown by every page of an event if the event does not exist. */
export const EventNotFound = () => (
  <EmptyState as="h1" title="This event does not exist.">
    <p>Check the address: a part of it may be missing.</p>
    <Link to="/events" className={buttonClass({ variant: 'secondary' })}>
      See all events
    </Link>
  </EmptyState>
)
