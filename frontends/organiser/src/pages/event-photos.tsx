import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import Settings from 'lucide-react/icons/settings'
import { Album, albumSize, albumTotal, countPending } from '@confetti/album/album'
import { createEventCalls, eventQuery } from '@confetti/album/event-calls'
import { DeletionNotice, useModeration, useUndoableDeletion } from '@confetti/album/moderation'
import { QuotaWarning } from '@confetti/album/settings/quota-usage'
import { useUploads } from '@confetti/album/use-uploads'
import { ZipPanel } from '@confetti/album/zip-panel'
import { Link, useParams } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { site } from '@confetti/session'
import backLink from '@confetti/ui/back-link.module.css'
import { Page } from '@confetti/ui/page'
import { useText } from '../texts.ts'
import { QrCode } from '../features/events/event-card.tsx'
import { EventNotFound } from '../features/events/event-not-found.tsx'
import styles from './event-photos.module.css'

/** All photos and videos of one event, for its organiser. */
const PhotosOf = ({ eventId }: { eventId: string }) => {
  const t = useText()
  const calls = useMemo(() => createEventCalls(eventId, 'organiser'), [eventId])
  const { listPage, createArchive } = calls
  const moderation = useModeration({
    uploads: useUploads(eventId, { listPage, apiUrl: site().apiUrl }),
    calls,
  })
  const { uploads } = moderation
  const deletion = useUndoableDeletion(moderation)
  // For the title and the quotas: if it fails, the list of uploads shows what is wrong.
  const { data: event } = useQuery(eventQuery(eventId, { quiet: true }))

  if (uploads.status === 'not-found') return <EventNotFound />
  const pendingCount = countPending(uploads.uploads)
  return (
    <>
      <Link to="/myevents" className={backLink.back}>
        <ArrowLeft size={20} aria-hidden />
        {t('organiser.tab.myEvents')}
      </Link>
      <Page
        title={event?.name ?? t('organiser.tab.photos')}
        lead={uploads.status === 'success' ? albumSize(uploads.uploads) : <>&nbsp;</>}
        actions={
          <div className={styles.actions}>
            {pendingCount > 0 && (
              <Link to={`/myevents/${eventId}/review`} className={buttonClass()}>
                <ClipboardCheck size={20} aria-hidden />
                {t('organiser.photos.review', { count: pendingCount })}
              </Link>
            )}
            <Link to={`/myevents/${eventId}/settings`} className={buttonClass({ variant: 'outline' })}>
              <Settings size={20} aria-hidden />
              {t('organiser.tab.settings')}
            </Link>
          </div>
        }
      >
        {event && 'settings' in event && <QuotaWarning event={event} total={albumTotal(uploads)} />}
        <ZipPanel
          eventId={eventId}
          listPage={listPage}
          defaultBatchSize={100}
          label={t('organiser.downloads.all')}
          busyLabel={t('organiser.downloads.busy')}
          emptyMessage={t('organiser.downloads.empty')}
          doneNotice={{ title: t('organiser.downloads.done') }}
        />
        <Album
          uploads={uploads}
          createArchive={createArchive}
          emptyHint={
            <>
              <p>{t('organiser.photos.empty')}</p>
              {event && 'settings' in event && <QrCode event={event} />}
            </>
          }
          onDelete={deletion.onDelete}
          onVisibility={moderation.setVisibility}
          renameGuest={calls.renameGuest}
        />
        <DeletionNotice count={deletion.undoableCount} onUndo={deletion.undo} />
      </Page>
    </>
  )
}

export const EventPhotos = () => {
  const { eventId = '' } = useParams()
  return <PhotosOf key={eventId} eventId={eventId} />
}
