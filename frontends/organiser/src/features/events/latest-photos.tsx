import { useRef, useState } from 'react'
import ArrowRight from 'lucide-react/icons/arrow-right'
import Play from 'lucide-react/icons/play'
import { albumSize } from '@confetti/album/album'
import { useUploads } from '@confetti/album/use-uploads'
import type { Event, Upload } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { Button } from '@confetti/ui/button'
import { Skeleton } from '@confetti/ui/skeleton'
import { uploadsOf } from './events-api.ts'
import styles from './latest-photos.module.css'
import { useInView } from './use-in-view.ts'

const SHOWN = 8
const HEIGHT = 72
const WIDEST = 128

const Thumbnail = ({ upload, arrived }: { upload: Upload; arrived: boolean }) => {
  const { thumbnailUrl, width = 1, height = 1, originalName, contentType } = upload
  const [broken, setBroken] = useState<string>()
  return (
    <li
      className={`${styles.photo} ${arrived ? styles.arrived : ''}`}
      style={{ width: Math.min(WIDEST, Math.round((HEIGHT * width) / height)) }}
    >
      {thumbnailUrl && thumbnailUrl !== broken ? (
        <img
          src={thumbnailUrl}
          alt={originalName}
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          // Fresh links come with the next look.
          onError={() => setBroken(thumbnailUrl)}
        />
      ) : (
        upload.status === 'processing' && <Skeleton height="100%" />
      )}
      {contentType.startsWith('video/') && <Play size={20} fill="currentColor" aria-hidden />}
    </li>
  )
}

/** The latest photos of an event and how many there are: new ones appear by themselves while one looks. */
export const LatestPhotos = ({ event }: { event: Event }) => {
  const strip = useRef<HTMLDivElement>(null)
  const [listPage] = useState(() => uploadsOf(event._id))
  const { status, uploads, whole, arrived, retry } = useUploads(listPage, {
    newestFirst: SHOWN,
    enabled: useInView(strip),
  })

  return (
    <div ref={strip} className={styles.latest}>
      {status === 'loading' && <Skeleton height={`${HEIGHT}px`} radius="10px" />}
      {status === 'unknown' && <p className={styles.note}>This event does not exist any more.</p>}
      {status === 'failed' && (
        <div className={styles.note}>
          The photos could not be loaded.
          <Button look="line" size="small" onClick={retry}>
            Retry
          </Button>
        </div>
      )}
      {status === 'ready' && uploads.length === 0 && (
        <p className={styles.note}>No photos yet. Show your guests the QR code.</p>
      )}
      {status === 'ready' && uploads.length > 0 && (
        <ul className={styles.strip} aria-label={`Latest photos of ${event.name}`}>
          {uploads.slice(0, SHOWN).map((upload) => (
            <Thumbnail key={upload._id} upload={upload} arrived={arrived.has(upload._id)} />
          ))}
        </ul>
      )}
      <div className={styles.more}>
        <p role="status">{uploads.length > 0 && (whole ? albumSize(uploads) : 'Counting ...')}</p>
        <Link to={`/myevents/${event._id}`} aria-label={`See the photos of ${event.name}`}>
          See the photos
          <ArrowRight size={18} aria-hidden />
        </Link>
      </div>
    </div>
  )
}
