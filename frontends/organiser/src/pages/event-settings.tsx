import { useParams } from '@confetti/federation/router'
import { EventSettingsView } from '../features/events/event-settings-view.tsx'

export const EventSettings = () => {
  const { eventId = '' } = useParams()
  return <EventSettingsView key={eventId} eventId={eventId} />
}
