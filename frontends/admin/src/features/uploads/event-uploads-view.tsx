import { useState } from 'react'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Album, albumSize } from '@confetti/album/album'
import { DownloadPanel } from '@confetti/album/download-panel'
import { useUploads } from '@confetti/album/use-uploads'
import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { Page } from '@confetti/ui/page'
import { UnknownEvent } from '../../unknown-event.tsx'
import styles from './event-uploads-view.module.css'
import { uploadsOf } from './uploads-api.ts'
import { useDeletion } from './use-deletion.ts'
import { useEvent } from './use-event.ts'

const DONE = { title: 'All Downloads Complete', message: 'All files have been downloaded.' }

const NextStep = ({ eventId, uploadUrl }: { eventId: string; uploadUrl: string | undefined }) => (
  <>
    <p>Photos appear here by themselves, as soon as guests send them with the event's link or QR code.</p>
    {uploadUrl && (
      <a className={styles.link} href={uploadUrl} target="_blank" rel="noreferrer">
        {uploadUrl}
      </a>
    )}
    <Link to={`/events/${eventId}`} className={buttonClass({ look: 'quiet' })}>
      Show the QR code
    </Link>
  </>
)

/** The uploads of one event, for an admin: to see, to download, to delete. */
export const EventUploadsView = ({ eventId }: { eventId: string }) => {
  const [listPage] = useState(() => uploadsOf(eventId))
  const event = useEvent(eventId)
  const uploads = useUploads(listPage)
  const deletion = useDeletion(uploads.remove)

  if (uploads.status === 'unknown') return <UnknownEvent />
  const size = uploads.status === 'ready' && albumSize(uploads.uploads)
  return (
    <>
      <Link to={`/events/${eventId}`} className={styles.back}>
        <ArrowLeft size={20} aria-hidden />
        Event details
      </Link>
      <Page title="Event Uploads" lead={[event?.name, size].filter(Boolean).join(' · ') || <>&nbsp;</>}>
        <DownloadPanel
          eventId={eventId}
          listPage={listPage}
          batchSize={50}
          label="Download All"
          none="No files to download."
          done={DONE}
        />
        <Album
          uploads={uploads}
          whenEmpty={
            <NextStep
              eventId={eventId}
              uploadUrl={event && 'uploadUrl' in event ? event.uploadUrl : undefined}
            />
          }
          onDelete={deletion.select}
          leaving={deletion.leaving}
        />
        <ConfirmDialog
          open={deletion.selected !== undefined}
          title="Confirm Deletion"
          text="Are you sure you want to delete this upload? This action cannot be undone."
          confirm="Delete"
          onConfirm={deletion.confirm}
          onCancel={deletion.cancel}
        />
      </Page>
    </>
  )
}
