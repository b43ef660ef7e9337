import { useRef } from 'react'
import Settings from 'lucide-react/icons/settings'
import { ArchiveDownload } from '@confetti/album/archive-download'
import { QuotaUsage } from '@confetti/album/settings/quota-usage'
import { useLatestUploads } from '@confetti/album/use-polled-query'
import { listAllUploads } from '@confetti/album/use-uploads'
import { useZipDownload } from '@confetti/album/use-zip-download'
import { ZipControl, ZipProgress, type BatchSize } from '@confetti/album/zip-panel'
import type { Event } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { formatDay } from '@confetti/ui/day'
import { useText } from '../../texts.ts'
import { Description } from './description.tsx'
import styles from './event-card.module.css'
import { createArchiveOf, listUploadsOf } from './events-api.ts'
import { LatestPhotos, MAX_PHOTOS } from './latest-photos.tsx'
import { QrCode } from './qr-code.tsx'
import { useInView } from './use-in-view.ts'

/** One event of the organiser: upload link, QR code, latest photos and downloads. */
export const EventCard = ({ event, batchSize }: { event: Event; batchSize: BatchSize }) => {
  const t = useText()
  const photos = useRef<HTMLDivElement>(null)
  const listPage = listUploadsOf(event._id)
  const latest = useLatestUploads(event._id, { listPage, count: MAX_PHOTOS, enabled: useInView(photos) })
  const download = useZipDownload({
    eventId: event._id,
    listUploads: (signal) => listAllUploads(listPage, { signal, quiet: true }),
    emptyMessage: t('organiser.downloads.empty'),
    doneNotice: { title: t('organiser.downloads.done') },
  })
  return (
    <Card as="li" className={styles.card}>
      <h2 className={styles.name}>
        <a href={event.uploadUrl} target="_blank" rel="noreferrer">
          <bdi>{event.name}</bdi>
        </a>
      </h2>
      <div className={styles.details}>
        <p className={styles.days}>
          {t('organiser.event.days', { first: formatDay(event.startDate), last: formatDay(event.endDate) })}
        </p>
        {event.description && <Description text={event.description} />}
      </div>
      <div className={styles.code}>
        <QrCode event={event} />
      </div>
      <div ref={photos} className={styles.photos}>
        <LatestPhotos event={event} latest={latest} />
        <QuotaUsage event={event} total={latest.total} />
        <div className={styles.downloads}>
          <ArchiveDownload createArchive={createArchiveOf(event._id)} total={latest.total} />
          <ZipControl
            label={t('organiser.downloads.all')}
            busyLabel={t('organiser.downloads.busy')}
            batchSize={batchSize}
            download={download}
          />
          <Link
            to={`/myevents/${event._id}/settings`}
            aria-label={t('organiser.event.settingsOf', { name: event.name })}
            className={buttonClass({ variant: 'outline' })}
          >
            <Settings size={20} aria-hidden />
            {t('organiser.tab.settings')}
          </Link>
        </div>
        <ZipProgress download={download} batchSize={batchSize} />
      </div>
    </Card>
  )
}
