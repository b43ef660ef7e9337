import { Link, useParams } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { Page } from '@confetti/ui/page'
import { EventUploadsView } from '../features/uploads/event-uploads-view.tsx'
import { useText } from '../texts.ts'

const MissingEventId = () => {
  const t = useText()
  return (
    <Page title={t('admin.tab.eventUploads')}>
      <EmptyState title={t('admin.uploads.noEvent')}>
        <p>{t('admin.uploads.noEvent.hint')}</p>
        <Link to="/events" className={buttonClass()}>
          {t('admin.uploads.noEvent.events')}
        </Link>
      </EmptyState>
    </Page>
  )
}

export const EventUploads = () => {
  const { eventId } = useParams()
  return eventId ? <EventUploadsView key={eventId} eventId={eventId} /> : <MissingEventId />
}
