import { EventSettingsPage } from '@confetti/album/managed-event'
import { useParams } from '@confetti/federation/router'
import { BackToEvent, LoadedEvent } from '../features/events/loaded-event.tsx'
import { useText } from '../texts.ts'

/** The settings of an event, all of which an admin can change. */
export const EventSettings = () => {
  const t = useText()
  const { eventId = '' } = useParams()
  const title = t('admin.tab.settings')
  return (
    <LoadedEvent key={eventId} eventId={eventId} title={title}>
      {(event) => (
        <>
          <BackToEvent eventId={eventId} />
          <EventSettingsPage event={event} manager="admin" title={title} onLeft={() => undefined} />
        </>
      )}
    </LoadedEvent>
  )
}
