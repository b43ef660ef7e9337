import { useParams } from '@confetti/federation/router'
import { EventReview as EventReviewView } from '../features/events/event-review.tsx'

export const EventReview = () => {
  const { eventId = '' } = useParams()
  return <EventReviewView key={eventId} eventId={eventId} />
}
