import { useSession } from '@confetti/session'
import { Page } from '@confetti/ui/page'
import { CreateEventForm } from '../features/events/create-event-form.tsx'
import { useText } from '../texts.ts'

export const CreateEvent = () => {
  const t = useText()
  const user = useSession((session) => session.user)
  return (
    <Page title={t('admin.tab.createEvent')} lead={t('admin.events.create.lead')}>
      {user && <CreateEventForm key={user._id} userId={user._id} />}
    </Page>
  )
}
