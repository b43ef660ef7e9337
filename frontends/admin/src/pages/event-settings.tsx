import { useParams } from '@confetti/federation/router'
import { EventSettingsView } from '../features/events/event-settings-view.tsx'
import { LoadedEvent } from '../features/events/loaded-event.tsx'
import { useText } from '../texts.ts'

export const EventSettings = () => {
  const t = useText()
  const { eventId = '' } = useParams()
  return (
    <LoadedEvent key={eventId} eventId={eventId} title={t('admin.tab.settings')}>
      {(event) => <EventSettingsView event={event} />}
    </LoadedEvent>
  )
}
