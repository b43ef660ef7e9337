import ArrowLeft from 'lucide-react/icons/arrow-left'
import { EventSettingsPage, ManagedEvent } from '@confetti/album/managed-event'
import { Link, useNavigate, useParams } from '@confetti/federation/router'
import { EventNotFound } from '../features/events/event-not-found.tsx'
import { useText } from '../texts.ts'
import backLink from '@confetti/ui/back-link.module.css'

/** The settings of one of the organiser's own events. */
export const EventSettings = () => {
  const t = useText()
  const { eventId = '' } = useParams()
  const navigate = useNavigate()
  const title = t('organiser.tab.settings')
  return (
    <>
      <Link to={`/myevents/${eventId}`} className={backLink.back}>
        <ArrowLeft size={20} aria-hidden />
        {t('organiser.tab.photos')}
      </Link>
      <ManagedEvent
        key={eventId}
        eventId={eventId}
        isQuiet
        title={title}
        failureTitle={t('organiser.settings.failed')}
        notFound={<EventNotFound />}
      >
        {(event) => (
          <EventSettingsPage
            event={event}
            manager="organiser"
            title={title}
            onLeft={() => void navigate('/myevents')}
          />
        )}
      </ManagedEvent>
    </>
  )
}
