import { Link, useParams } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { Page } from '@confetti/ui/page'
import { EventUploadsView } from '../features/uploads/event-uploads-view.tsx'

const MissingEventId = () => (
  <Page title="Event Uploads">
    <EmptyState title="Event ID is missing.">
      <p>Open an event to see its uploads.</p>
      <Link to="/events" className={buttonClass()}>
        See the events
      </Link>
    </EmptyState>
  </Page>
)

export const EventUploads = () => {
  const { eventId } = useParams()
  return eventId ? <EventUploadsView key={eventId} eventId={eventId} /> : <MissingEventId />
}
