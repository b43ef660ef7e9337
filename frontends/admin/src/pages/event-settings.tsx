import { useParams } from '@confetti/federation/router'
import { EventSettingsView } from '../features/events/event-settings-view.tsx'
import { LoadedEvent } from '../features/events/loaded-event.tsx'

export const EventSettings = () => {
  const { eventId = '' } = useParams()
  return (
    <LoadedEvent key={eventId} eventId={eventId} title="Settings">
      {(event) => <EventSettingsView event={event} />}
    </LoadedEvent>
  )
}
