import { useParams } from '@confetti/federation/router'
import { EventView } from '../features/events/event-view.tsx'

export const EventDetails = () => {
  const { eventId = '' } = useParams()
  return <EventView key={eventId} eventId={eventId} />
}
