import { memo, type CSSProperties } from 'react'
import Maximize2 from 'lucide-react/icons/maximize-2'
import Trash2 from 'lucide-react/icons/trash-2'
import { MB, type Upload } from '@confetti/contracts'
import { IconButton } from '@confetti/ui/button'
import { DownloadButton } from './download-button.tsx'
import { isVideo } from './file-names.ts'
import { Picture } from './picture.tsx'
import { Player } from './player.tsx'
import styles from './upload-card.module.css'

interface Props {
  upload: Upload
  /** Two stand beside each other on a phone. */
  narrow: boolean
  arrived: boolean
  leaving: boolean
  onOpen: (upload: Upload) => void
  refresh: () => Promise<readonly Upload[]>
  onStale: () => void
  onDelete: ((upload: Upload) => void) | undefined
}

const CardOf = ({ upload, narrow, arrived, leaving, onOpen, refresh, onStale, onDelete }: Props) => {
  const { originalName, photoCredit, uploadedAt, size, thumbnailUrl } = upload
  const video = isVideo(upload)
  const roomForName = !narrow || (!video && !onDelete)
  const classes = [styles.card, arrived && styles.arrived, leaving && styles.leaving, narrow && styles.narrow]
  return (
    <figure className={classes.filter(Boolean).join(' ')} aria-busy={leaving}>
      <div
        className={`${styles.media} ${video ? styles.top : ''}`}
        style={thumbnailUrl ? ({ '--around': `url("${thumbnailUrl}")` } as CSSProperties) : undefined}
      >
        {video ? (
          <Player upload={upload} poster={thumbnailUrl} onStale={onStale} />
        ) : (
          <button
            type="button"
            data-open
            className={styles.open}
            aria-label={`View ${originalName}`}
            onClick={() => onOpen(upload)}
          >
            <Picture upload={upload} src={upload.thumbnailUrl} onStale={onStale} />
          </button>
        )}
        <figcaption className={styles.caption}>
          <b>Credit: {photoCredit}</b>
          <span>Uploaded at: {new Date(uploadedAt).toLocaleString()}</span>
        </figcaption>
      </div>
      <div className={styles.actions}>
        {roomForName && (
          <div className={styles.name}>
            <span>{originalName}</span>
            <span>{(size / MB).toFixed(2)} MB</span>
          </div>
        )}
        {video && (
          <IconButton look="bare" data-open label={`View ${originalName}`} onClick={() => onOpen(upload)}>
            <Maximize2 size={18} aria-hidden />
          </IconButton>
        )}
        <DownloadButton upload={upload} refresh={refresh} />
        {onDelete && (
          <IconButton
            label={`Delete ${originalName}`}
            aria-disabled={leaving}
            onClick={() => {
              if (!leaving) onDelete(upload)
            }}
          >
            <Trash2 size={20} aria-hidden />
          </IconButton>
        )}
      </div>
    </figure>
  )
}

/** One upload in the grid. Drawn again only when something of it changes. */
export const UploadCard = memo(CardOf)
