import FileVideo from 'lucide-react/icons/file-play'
import ImageIcon from 'lucide-react/icons/image'
import Play from 'lucide-react/icons/play'
import { Picture } from '@confetti/album/medium'
import type { GuestUpload } from '@confetti/contracts'
import { DeletionButton } from './deletion-button.tsx'
import { OwnUploadState } from './own-upload-state.tsx'
import styles from './own-upload-tile.module.css'
import type { Deletions } from './use-deletion.ts'

interface Props {
  upload: GuestUpload
  hasGallery: boolean
  deletions: Deletions
  onOpen: (upload: GuestUpload) => void
  onLinkFailed: () => void
}

/** A file that the guest has sent: its picture, which opens in a large size, its state and the button that deletes it. */
export const OwnUploadTile = ({ upload, hasGallery, deletions, onOpen, onLinkFailed }: Props) => {
  const { originalName: name, contentType, thumbnailUrl, previewUrl } = upload
  const isDeleted = deletions.isUndoable(upload)
  const isVideo = contentType.startsWith('video/')
  const Icon = isVideo ? FileVideo : ImageIcon
  const picture = (
    <>
      <Picture
        src={thumbnailUrl}
        alt={name}
        className={styles.picture}
        // Only who sees no picture needs the name of its file.
        placeholder={
          <span className={styles.placeholder}>
            <Icon size={28} strokeWidth={1.5} aria-hidden />
            <bdi className={styles.name}>{name}</bdi>
          </span>
        }
        onLinkFailed={onLinkFailed}
      />
      {isVideo && thumbnailUrl && <Play size={16} fill="currentColor" aria-hidden className={styles.video} />}
    </>
  )
  return (
    <li className={styles.tile} data-upload={upload._id}>
      {previewUrl && !isDeleted ? (
        <button type="button" className={styles.thumbnail} onClick={() => onOpen(upload)}>
          {picture}
        </button>
      ) : (
        <div className={`${styles.thumbnail} ${isDeleted ? styles.deleted : ''}`}>{picture}</div>
      )}
      <div className={styles.state}>
        <OwnUploadState upload={upload} hasGallery={hasGallery} isDeleted={isDeleted} />
      </div>
      <DeletionButton upload={upload} deletions={deletions} />
    </li>
  )
}
