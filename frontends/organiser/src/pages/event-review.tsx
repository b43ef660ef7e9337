import { createEventCalls, eventQuery } from '@confetti/album/event-calls'
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { ReviewScreen } from '@confetti/album/review/review-screen'
import { useUploads } from '@confetti/album/use-uploads'
import { Link, useParams } from '@confetti/federation/router'
import { site } from '@confetti/session'
import backLink from '@confetti/ui/back-link.module.css'
import { Page } from '@confetti/ui/page'
import { useText } from '../texts.ts'
import { EventNotFound } from '../features/events/event-not-found.tsx'

/** The uploads of one of the organiser's own events that wait for approval. */
const ReviewOf = ({ eventId }: { eventId: string }) => {
  const t = useText()
  const calls = useMemo(() => createEventCalls(eventId, 'organiser'), [eventId])
  const uploads = useUploads(eventId, { listPage: calls.listPage, apiUrl: site().apiUrl })
  const { data: event } = useQuery(eventQuery(eventId, { quiet: true }))

  if (uploads.status === 'not-found') return <EventNotFound />
  return (
    <>
      <Link to={`/myevents/${eventId}`} className={backLink.back}>
        <ArrowLeft size={20} aria-hidden />
        {t('organiser.tab.photos')}
      </Link>
      <Page title={t('organiser.tab.review')} lead={event ? <bdi>{event.name}</bdi> : <>&nbsp;</>}>
        <ReviewScreen uploads={uploads} calls={calls} />
      </Page>
    </>
  )
}

export const EventReview = () => {
  const { eventId = '' } = useParams()
  return <ReviewOf key={eventId} eventId={eventId} />
}
