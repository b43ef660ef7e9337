import { memo, useState } from 'react'
import ImageIcon from 'lucide-react/icons/image'
import Play from 'lucide-react/icons/play'
import type { GalleryUpload } from '@confetti/contracts'
import { useText } from '../../texts.ts'
import styles from './gallery-tile.module.css'
import { describeUpload, formatDuration, isVideo } from './texts.ts'

interface Props {
  upload: GalleryUpload
  /** Whether it is on the first screen, and so loaded before all else. */
  isFirst: boolean
  onOpen: (id: string) => void
  onLinkFailed: () => void
}

const Tile = ({ upload, isFirst, onOpen, onLinkFailed }: Props) => {
  const t = useText()
  const [failedSrc, setFailedSrc] = useState<string>()
  const { _id, thumbnailUrl, durationSeconds } = upload
  const duration = isVideo(upload) && formatDuration(durationSeconds ?? 0)
  const label = duration
    ? t('gallery.photoInfo', { description: describeUpload(t, upload), duration })
    : describeUpload(t, upload)
  return (
    <button type="button" data-main className={styles.tile} aria-label={label} onClick={() => onOpen(_id)}>
      {failedSrc === thumbnailUrl ? (
        <ImageIcon size={28} strokeWidth={1.5} aria-hidden className={styles.icon} />
      ) : (
        <img
          src={thumbnailUrl}
          alt=""
          decoding="async"
          draggable={false}
          fetchPriority={isFirst ? 'high' : 'auto'}
          className={styles.picture}
          onError={() => {
            setFailedSrc(thumbnailUrl)
            onLinkFailed()
          }}
        />
      )}
      {duration && (
        <span className={styles.video}>
          <Play size={14} fill="currentColor" aria-hidden />
          {duration}
        </span>
      )}
    </button>
  )
}

/** One upload in the grid. Memoized: scrolling renders only the tiles that come into view. */
export const GalleryTile = memo(Tile)
