import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import { Album, albumSize, albumTotal, countPending } from '@confetti/album/album'
import { ArchiveDownload } from '@confetti/album/archive-download'
import { DownloadPanel } from '@confetti/album/download-panel'
import { QuotaUsage } from '@confetti/album/settings/quota-usage'
import { useModeration } from '@confetti/album/use-moderation'
import { useUploads } from '@confetti/album/use-uploads'
import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { site } from '@confetti/session'
import { Page } from '@confetti/ui/page'
import { EventNotFound } from '../../event-not-found.tsx'
import { BackToEvent } from '../events/back-to-event.tsx'
import styles from './event-uploads-view.module.css'
import { createArchiveOf, createModerationCalls, listUploadsOf, uploadsEventQuery } from './uploads-api.ts'
import { useDeletion } from './use-deletion.ts'

const DONE_NOTICE = { title: 'All Downloads Complete', message: 'All files have been downloaded.' }

const EmptyHint = ({ eventId, uploadUrl }: { eventId: string; uploadUrl: string | undefined }) => (
  <>
    <p>Photos appear here automatically when guests send them with the event's link or QR code.</p>
    {uploadUrl && (
      <a className={styles.link} href={uploadUrl} target="_blank" rel="noreferrer">
        {uploadUrl}
      </a>
    )}
    <Link to={`/events/${eventId}`} className={buttonClass({ variant: 'secondary' })}>
      Show the QR code
    </Link>
  </>
)

/** The uploads of one event, which an admin can view, download, hide and delete. */
export const EventUploadsView = ({ eventId }: { eventId: string }) => {
  const listPage = listUploadsOf(eventId)
  const createArchive = createArchiveOf(eventId)
  const calls = useMemo(() => createModerationCalls(eventId), [eventId])
  const { uploads, setVisibility } = useModeration({
    uploads: useUploads(eventId, { listPage, apiUrl: site().apiUrl }),
    calls,
  })
  // If it fails, the list of uploads shows what is wrong.
  const { data: event } = useQuery(uploadsEventQuery(eventId))
  const deletion = useDeletion(uploads.remove)

  if (uploads.status === 'not-found') return <EventNotFound />
  const pendingCount = countPending(uploads.uploads)
  const size = uploads.status === 'success' && albumSize(uploads.uploads)
  return (
    <>
      <BackToEvent eventId={eventId} />
      <Page
        title="Event Uploads"
        lead={[event?.name, size].filter(Boolean).join(' · ') || <>&nbsp;</>}
        actions={
          pendingCount > 0 && (
            <Link to={`/admin/event-uploads/${eventId}/review`} className={buttonClass()}>
              <ClipboardCheck size={20} aria-hidden />
              Review {pendingCount}
            </Link>
          )
        }
      >
        {event && 'settings' in event && <QuotaUsage event={event} total={albumTotal(uploads)} />}
        <ArchiveDownload createArchive={createArchive} total={albumTotal(uploads)} />
        <DownloadPanel
          eventId={eventId}
          listPage={listPage}
          defaultBatchSize={50}
          label="Download All"
          emptyMessage="No files to download."
          doneNotice={DONE_NOTICE}
        />
        <Album
          uploads={uploads}
          emptyHint={
            <EmptyHint
              eventId={eventId}
              uploadUrl={event && 'uploadUrl' in event ? event.uploadUrl : undefined}
            />
          }
          createArchive={createArchive}
          onDelete={deletion.select}
          deletingIds={deletion.deletingIds}
          onVisibility={setVisibility}
        />
        <ConfirmDialog
          open={deletion.selected !== undefined}
          title="Confirm Deletion"
          text="Are you sure you want to delete this upload? This action cannot be undone."
          confirmLabel="Delete"
          onConfirm={deletion.confirm}
          onCancel={deletion.cancel}
        />
      </Page>
    </>
  )
}
