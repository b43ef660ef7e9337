import { useSession } from '@confetti/session'
import { Page } from '@confetti/ui/page'
import { CreateEventForm } from '../features/events/create-event-form.tsx'

export const CreateEvent = () => {
  const user = useSession((session) => session.user)
  return (
    <Page title="Create Event" lead="The QR code is available as soon as the event is created.">
      {user && <CreateEventForm key={user._id} userId={user._id} />}
    </Page>
  )
}
