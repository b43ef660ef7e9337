import { memo } from 'react'
import Maximize2 from 'lucide-react/icons/maximize-2'
import Trash2 from 'lucide-react/icons/trash-2'
import type { Upload } from '@confetti/contracts'
import { IconButton } from '@confetti/ui/button'
import { DownloadButton } from './download-control.tsx'
import { isVideo } from './file-names.ts'
import { getVisibility } from './gallery-view.ts'
import { Player } from './medium.tsx'
import { useText } from './texts.ts'
import styles from './upload-card.module.css'
import { backdropOf, Thumbnail, toVideo, UploadCaption, UploadName } from './upload-medium.tsx'
import type { ChangeVisibility } from './visibility-actions.ts'
import { VisibilityButtons } from './visibility-buttons.tsx'

interface Props {
  upload: Upload
  /** Whether the card is one of two columns on a phone. */
  isNarrow: boolean
  /** Whether the upload arrived while the page was open. */
  hasArrived: boolean
  isDeleting: boolean
  onOpen: (upload: Upload) => void
  refresh: () => Promise<readonly Upload[]>
  onLinkFailed: () => void
  onDelete: ((upload: Upload) => void) | undefined
  /** Adds buttons that show and hide the upload. */
  onVisibility: ChangeVisibility | undefined
}

const Card = ({
  upload,
  isNarrow,
  hasArrived,
  isDeleting,
  onOpen,
  refresh,
  onLinkFailed,
  onDelete,
  onVisibility,
}: Props) => {
  const t = useText()
  const { originalName } = upload
  const isVideoUpload = isVideo(upload)
  const isNameVisible = !isNarrow || (!isVideoUpload && !onDelete)
  const classes = [
    styles.card,
    hasArrived && styles.arrived,
    isDeleting && styles.deleting,
    isNarrow && styles.narrow,
    getVisibility(upload) === 'hidden' && styles.hidden,
  ]
  return (
    <figure className={classes.filter(Boolean).join(' ')} aria-busy={isDeleting}>
      <div className={`${styles.media} ${isVideoUpload ? styles.top : ''}`} style={backdropOf(upload)}>
        {isVideoUpload ? (
          <Player video={toVideo(t, upload)} onLinkFailed={onLinkFailed} />
        ) : (
          <button
            type="button"
            data-main
            className={styles.open}
            aria-label={t('album.file.view', { name: originalName })}
            onClick={() => onOpen(upload)}
          >
            <Thumbnail upload={upload} onLinkFailed={onLinkFailed} />
          </button>
        )}
        <figcaption className={styles.caption}>
          <UploadCaption upload={upload} />
        </figcaption>
        {onVisibility && <VisibilityButtons upload={upload} onChange={onVisibility} />}
      </div>
      <div className={styles.actions}>
        {isNameVisible && (
          <div className={styles.name}>
            <UploadName upload={upload} />
          </div>
        )}
        {isVideoUpload && (
          <IconButton
            variant="ghost"
            data-main
            label={t('album.file.view', { name: originalName })}
            onClick={() => onOpen(upload)}
          >
            <Maximize2 size={18} aria-hidden />
          </IconButton>
        )}
        <DownloadButton upload={upload} refresh={refresh} />
        {onDelete && (
          <IconButton
            label={t('album.file.delete', { name: originalName })}
            aria-disabled={isDeleting}
            onClick={() => {
              if (!isDeleting) onDelete(upload)
            }}
          >
            <Trash2 size={20} aria-hidden />
          </IconButton>
        )}
      </div>
    </figure>
  )
}

/** One upload in the grid. Memoized: a gallery of thousands renders only the cards that changed. */
export const UploadCard = memo(Card)
