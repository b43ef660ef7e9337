import ArrowRight from 'lucide-react/icons/arrow-right'
import Play from 'lucide-react/icons/play'
import { formatTotal } from '@confetti/album/album'
import { Picture } from '@confetti/album/medium'
import type { useLatestUploads } from '@confetti/album/use-polled-query'
import type { Event, Upload } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { Button } from '@confetti/ui/button'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { Skeleton } from '@confetti/ui/skeleton'
import { useText } from '../../texts.ts'
import styles from './latest-photos.module.css'

/** How many photos fit into the strip. */
export const MAX_PHOTOS = 8
const HEIGHT_PX = 72
const MAX_WIDTH_PX = 128

const Thumbnail = ({ upload, hasArrived }: { upload: Upload; hasArrived: boolean }) => {
  const { thumbnailUrl, width = 1, height = 1, originalName, contentType } = upload
  return (
    <li
      className={`${styles.photo} ${hasArrived ? styles.arrived : ''}`}
      style={{ width: Math.min(MAX_WIDTH_PX, Math.round((HEIGHT_PX * width) / height)) }}
    >
      <Picture
        src={thumbnailUrl}
        alt={originalName}
        width={width}
        height={height}
        placeholder={upload.status === 'processing' && <Skeleton height="100%" />}
      />
      {contentType.startsWith('video/') && <Play size={20} fill="currentColor" aria-hidden />}
    </li>
  )
}

interface Props {
  event: Event
  latest: ReturnType<typeof useLatestUploads>
}

/** The latest photos of an event and how many there are. */
export const LatestPhotos = ({ event, latest: { status, uploads, total, arrivedIds, retry } }: Props) => {
  const t = useText()
  const { target: container, within } = useKeepFocus<HTMLDivElement>()
  return (
    <div ref={container} tabIndex={-1} className={styles.latest} {...within}>
      {status === 'pending' && <Skeleton height={`${HEIGHT_PX}px`} radius="10px" />}
      {status === 'not-found' && <p className={styles.note}>{t('organiser.latest.notFound')}</p>}
      {status === 'error' && (
        <div className={styles.note}>
          {t('organiser.latest.failed')}
          <Button variant="outline" size="small" onClick={retry}>
            {t('common.retry')}
          </Button>
        </div>
      )}
      {status === 'success' && uploads.length === 0 && (
        <p className={styles.note}>{t('organiser.latest.empty')}</p>
      )}
      {status === 'success' && uploads.length > 0 && (
        <ul className={styles.strip} aria-label={t('organiser.latest.of', { name: event.name })}>
          {uploads.map((upload) => (
            <Thumbnail key={upload._id} upload={upload} hasArrived={arrivedIds.has(upload._id)} />
          ))}
        </ul>
      )}
      <div className={styles.more}>
        <p role="status">{total && total.files > 0 && formatTotal(total)}</p>
        <Link to={`/myevents/${event._id}`} aria-label={t('organiser.latest.seeOf', { name: event.name })}>
          {t('organiser.latest.see')}
          <ArrowRight size={18} aria-hidden />
        </Link>
      </div>
    </div>
  )
}
