import { useParams } from '@confetti/federation/router'
import { useSession } from '@confetti/session'
import { Page } from '@confetti/ui/page'
import { BackToEvent } from '../features/events/back-to-event.tsx'
import { DeleteEvent } from '../features/events/delete-event.tsx'
import { EditEventForm } from '../features/events/edit-event-form.tsx'
import { LoadedEvent } from '../features/events/loaded-event.tsx'
import { useText } from '../texts.ts'

export const EditEvent = () => {
  const t = useText()
  const { eventId = '' } = useParams()
  const user = useSession((session) => session.user)
  return (
    <LoadedEvent key={eventId} eventId={eventId} title={t('admin.tab.editEvent')}>
      {(event) => (
        <>
          <BackToEvent eventId={eventId} />
          <Page title={t('admin.tab.editEvent')} lead={<bdi>{event.name}</bdi>}>
            {user && <EditEventForm key={user._id} event={event} userId={user._id} />}
            <DeleteEvent event={event} />
          </Page>
        </>
      )}
    </LoadedEvent>
  )
}
