import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { ReviewScreen } from '@confetti/album/review/review-screen'
import { useUploads } from '@confetti/album/use-uploads'
import { Link } from '@confetti/federation/router'
import { site } from '@confetti/session'
import { Page } from '@confetti/ui/page'
import { EventNotFound } from '../../event-not-found.tsx'
import { useText } from '../../texts.ts'
import styles from './review-view.module.css'
import { createModerationCalls, listUploadsOf, uploadsEventQuery } from './uploads-api.ts'

/** The uploads of an event that wait for approval. */
export const ReviewView = ({ eventId }: { eventId: string }) => {
  const t = useText()
  const uploads = useUploads(eventId, { listPage: listUploadsOf(eventId), apiUrl: site().apiUrl })
  const calls = useMemo(() => createModerationCalls(eventId), [eventId])
  const { data: event } = useQuery(uploadsEventQuery(eventId))

  if (uploads.status === 'not-found') return <EventNotFound />
  return (
    <>
      <Link to={`/admin/event-uploads/${eventId}`} className={styles.back}>
        <ArrowLeft size={20} aria-hidden />
        {t('admin.tab.eventUploads')}
      </Link>
      <Page title={t('admin.tab.review')} lead={<bdi>{event?.name ?? '\u00a0'}</bdi>}>
        <ReviewScreen uploads={uploads} calls={calls} />
      </Page>
    </>
  )
}
