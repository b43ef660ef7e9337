import { useParams } from '@confetti/federation/router'
import { EventPhotos } from '../features/events/event-photos.tsx'

export const MyEventsPhotos = () => {
  const { eventId = '' } = useParams()
  return <EventPhotos key={eventId} eventId={eventId} />
}
