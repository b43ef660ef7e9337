import { createEventCalls, eventQuery } from '@confetti/album/event-calls'
import { ReviewScreen } from '@confetti/album/review/review-screen'
import { useUploads } from '@confetti/album/use-uploads'
import { Link, useParams } from '@confetti/federation/router'
import { site } from '@confetti/session'
import backLink from '@confetti/ui/back-link.module.css'
import { Page } from '@confetti/ui/page'
import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useMemo } from 'react'
import { EventNotFound } from '../features/events/loaded-event.tsx'
import { useText } from '../texts.ts'

/** The uploads of an event that wait for approval. */
const ReviewView = ({ eventId }: { eventId: string }) => {
  const t = useText()
  const calls = useMemo(() => createEventCalls(eventId, 'admin'), [eventId])
  const uploads = useUploads(eventId, { listPage: calls.listPage, apiUrl: site().apiUrl })
  const { data: event } = useQuery(eventQuery(eventId, { quiet: true }))

  if (uploads.status === 'not-found') return <EventNotFound />
  return (
    <>
      <Link to={`/admin/event-uploads/${eventId}`} className={backLink.back}>
        <ArrowLeft size={20} aria-hidden />
        {t('admin.tab.eventUploads')}
      </Link>
      <Page title={t('admin.tab.review')} lead={<bdi>{event?.name ?? '\u00a0'}</bdi>}>
        <ReviewScreen uploads={uploads} calls={calls} />
      </Page>
    </>
  )
}

export const Review = () => {
  const { eventId = '' } = useParams()
  return <ReviewView key={eventId} eventId={eventId} />
}
