import { Page } from '@confetti/ui/page'
import { CreateEventForm } from '../features/events/create-event-form.tsx'

export const CreateEvent = () => (
  <Page title="Create Event" lead="The QR code is ready as soon as the event is.">
    <CreateEventForm />
  </Page>
)
