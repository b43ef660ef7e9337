import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'

/** Shown by every page of an event that does not exist, or that is not the organiser's. */
export const EventNotFound = () => (
  <EmptyState as="h1" title="This event does not exist.">
    <p>Check the address. The event may also have been assigned to another organiser.</p>
    <Link to="/myevents" className={buttonClass({ variant: 'secondary' })}>
      See my events
    </Link>
  </EmptyState>
)
