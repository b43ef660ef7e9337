import { useEffect, useState } from 'react'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Album, albumSize } from '@confetti/album/album'
import { DownloadPanel } from '@confetti/album/download-panel'
import { useUploads } from '@confetti/album/use-uploads'
import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { Page } from '@confetti/ui/page'
import styles from './event-photos.module.css'
import { fetchEvent, uploadsOf } from './events-api.ts'

/** The event's name, once it is known; the photos do not wait for it. */
const useEventName = (eventId: string): string | undefined => {
  const [name, setName] = useState<string>()
  useEffect(() => {
    const controller = new AbortController()
    fetchEvent(eventId, { signal: controller.signal, quiet: true })
      .then((event) => setName(event.name))
      // The list of photos says what is wrong.
      .catch(() => undefined)
    return () => controller.abort()
  }, [eventId])
  return name
}

const Unknown = () => (
  <EmptyState as="h1" title="This event does not exist.">
    <p>Perhaps the address was cut short on its way to you, or the event is no longer yours.</p>
    <Link to="/myevents" className={buttonClass({ look: 'quiet' })}>
      See my events
    </Link>
  </EmptyState>
)

/** All photos and videos of one event, for its organiser. */
export const EventPhotos = ({ eventId }: { eventId: string }) => {
  const [listPage] = useState(() => uploadsOf(eventId))
  const name = useEventName(eventId)
  const uploads = useUploads(listPage)

  if (uploads.status === 'unknown') return <Unknown />
  return (
    <>
      <Link to="/myevents" className={styles.back}>
        <ArrowLeft size={20} aria-hidden />
        My Events
      </Link>
      <Page
        title={name ?? 'Photos'}
        lead={uploads.status === 'ready' ? albumSize(uploads.uploads) : <>&nbsp;</>}
      >
        <DownloadPanel
          eventId={eventId}
          listPage={listPage}
          batchSize={100}
          label="Download All Uploads"
          busyLabel="Downloading..."
          none="There are no files to download."
          done={{ title: 'Downloads Ready' }}
        />
        <Album
          uploads={uploads}
          whenEmpty={<p>Show your guests the QR code. Their photos appear here by themselves.</p>}
        />
      </Page>
    </>
  )
}
