import { DownloadAll, DownloadProgress, type BatchSize } from '@confetti/album/downloads'
import { useDownloads } from '@confetti/album/use-downloads'
import { listAllUploads } from '@confetti/album/use-uploads'
import type { Event } from '@confetti/contracts'
import { Card } from '@confetti/ui/card'
import { formatDay } from '@confetti/ui/day'
import { Description } from './description.tsx'
import styles from './event-card.module.css'
import { listUploadsOf } from './events-api.ts'
import { LatestPhotos } from './latest-photos.tsx'
import { QrCode } from './qr-code.tsx'

/** One event of the organiser: upload link, QR code, latest photos and downloads. */
export const EventCard = ({ event, batchSize }: { event: Event; batchSize: BatchSize }) => {
  const downloads = useDownloads({
    eventId: event._id,
    listUploads: (signal) => listAllUploads(listUploadsOf(event._id), { signal, quiet: true }),
    emptyMessage: 'There are no files to download.',
    doneNotice: { title: 'Downloads Ready' },
  })
  return (
    <Card as="li" className={styles.card}>
      <h2 className={styles.name}>
        <a href={event.uploadUrl} target="_blank" rel="noreferrer">
          {event.name}
        </a>
      </h2>
      <div className={styles.details}>
        <p className={styles.days}>
          {formatDay(event.startDate)} - {formatDay(event.endDate)}
        </p>
        {event.description && <Description text={event.description} />}
      </div>
      <div className={styles.code}>
        <QrCode event={event} />
      </div>
      <div className={styles.photos}>
        <LatestPhotos event={event} />
        <DownloadAll
          label="Download All Uploads"
          busyLabel="Downloading..."
          batchSize={batchSize}
          downloads={downloads}
        />
        <DownloadProgress downloads={downloads} batchSize={batchSize} />
      </div>
    </Card>
  )
}
