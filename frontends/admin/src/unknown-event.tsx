import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'

/** In the place of every page of an event that is not there. */
export const UnknownEvent = () => (
  <EmptyState as="h1" title="This event does not exist.">
    <p>Perhaps the address was cut short on its way to you.</p>
    <Link to="/events" className={buttonClass({ look: 'quiet' })}>
      See all events
    </Link>
  </EmptyState>
)
