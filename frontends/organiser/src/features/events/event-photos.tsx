import { useQuery } from '@tanstack/react-query'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Album, albumSize, albumTotal } from '@confetti/album/album'
import { ArchiveDownload } from '@confetti/album/archive-download'
import { DownloadPanel } from '@confetti/album/download-panel'
import { useUploads } from '@confetti/album/use-uploads'
import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { Page } from '@confetti/ui/page'
import styles from './event-photos.module.css'
import { createArchiveOf, fetchEvent, listUploadsOf } from './events-api.ts'

const EventNotFound = () => (
  <EmptyState as="h1" title="This event does not exist.">
    <p>Check the address. The event may also have been assigned to another organiser.</p>
    <Link to="/myevents" className={buttonClass({ variant: 'secondary' })}>
      See my events
    </Link>
  </EmptyState>
)

/** All photos and videos of one event, for its organiser. */
export const EventPhotos = ({ eventId }: { eventId: string }) => {
  const listPage = listUploadsOf(eventId)
  const createArchive = createArchiveOf(eventId)
  const uploads = useUploads(eventId, { listPage })
  // Only for the title: if it fails, the list of uploads shows what is wrong.
  const { data: event } = useQuery({
    queryKey: ['event', eventId],
    queryFn: ({ signal }) => fetchEvent(eventId, { signal, quiet: true }),
  })

  if (uploads.status === 'not-found') return <EventNotFound />
  return (
    <>
      <Link to="/myevents" className={styles.back}>
        <ArrowLeft size={20} aria-hidden />
        My Events
      </Link>
      <Page
        title={event?.name ?? 'Photos'}
        lead={uploads.status === 'success' ? albumSize(uploads.uploads) : <>&nbsp;</>}
      >
        <ArchiveDownload createArchive={createArchive} total={albumTotal(uploads)} />
        <DownloadPanel
          eventId={eventId}
          listPage={listPage}
          defaultBatchSize={100}
          label="Download All Uploads"
          busyLabel="Downloading..."
          emptyMessage="There are no files to download."
          doneNotice={{ title: 'Downloads Ready' }}
        />
        <Album
          uploads={uploads}
          createArchive={createArchive}
          emptyHint={<p>Show your guests the QR code. Their photos appear here automatically.</p>}
        />
      </Page>
    </>
  )
}
