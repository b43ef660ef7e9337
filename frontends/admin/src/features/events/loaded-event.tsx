import type { ReactNode } from 'react'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { ManagedEvent } from '@confetti/album/managed-event'
import type { Event } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import backLink from '@confetti/ui/back-link.module.css'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { useText } from '../../texts.ts'

/** Shown by every page of an event if the event does not exist. */
export const EventNotFound = () => {
  const t = useText()
  return (
    <EmptyState as="h1" title={t('admin.eventNotFound')}>
      <p>{t('admin.eventNotFound.hint')}</p>
      <Link to="/events" className={buttonClass({ variant: 'secondary' })}>
        {t('admin.eventNotFound.events')}
      </Link>
    </EmptyState>
  )
}

/** The link from a page of an event to the event's page. */
export const BackToEvent = ({ eventId }: { eventId: string }) => {
  const t = useText()
  return (
    <Link to={`/events/${eventId}`} className={backLink.back}>
      <ArrowLeft size={20} aria-hidden />
      {t('admin.tab.event')}
    </Link>
  )
}

interface Props {
  eventId: string
  /** The heading while the event is loading. */
  title: string
  children: (event: Event) => ReactNode
}

/** Loads an event for a page that changes it. */
export const LoadedEvent = (props: Props) => {
  const t = useText()
  return <ManagedEvent failureTitle={t('admin.events.loadFailed')} notFound={<EventNotFound />} {...props} />
}
