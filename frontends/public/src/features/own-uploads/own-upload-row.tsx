import { useState } from 'react'
import Check from 'lucide-react/icons/check'
import FileVideo from 'lucide-react/icons/file-play'
import ImageIcon from 'lucide-react/icons/image'
import Undo2 from 'lucide-react/icons/undo-2'
import type { GuestUpload } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import styles from './own-upload-row.module.css'
import { useText } from '../../texts.ts'
import { describeState } from './texts.ts'

const Thumbnail = ({ upload, onLinkFailed }: { upload: GuestUpload; onLinkFailed: () => void }) => {
  const [failedSrc, setFailedSrc] = useState<string>()
  const { thumbnailUrl, contentType } = upload
  const Icon = contentType.startsWith('video/') ? FileVideo : ImageIcon
  if (!thumbnailUrl || thumbnailUrl === failedSrc)
    return <Icon size={24} strokeWidth={1.5} aria-hidden className={styles.icon} />
  return (
    <img
      src={thumbnailUrl}
      alt=""
      width={64}
      height={64}
      loading="lazy"
      decoding="async"
      className={styles.picture}
      onError={() => {
        setFailedSrc(thumbnailUrl)
        onLinkFailed()
      }}
    />
  )
}

interface Props {
  upload: GuestUpload
  hasGallery: boolean
  /** Whether it is taken back, which can be undone. */
  isTakenBack: boolean
  onTakeBack: () => void
  onUndo: () => void
  onLinkFailed: () => void
}

/** A file that the guest has sent, with its state and the button that takes it back. */
export const OwnUploadRow = ({
  upload,
  hasGallery,
  isTakenBack,
  onTakeBack,
  onUndo,
  onLinkFailed,
}: Props) => {
  const t = useText()
  const { originalName: name } = upload
  const { label, tone } = describeState(upload, { hasGallery })
  return (
    <li className={`${styles.row} ${isTakenBack ? styles.takenBack : ''}`}>
      <span className={styles.thumbnail}>
        <Thumbnail upload={upload} onLinkFailed={onLinkFailed} />
      </span>
      <div className={styles.details}>
        <b className={styles.name} title={name}>
          <bdi>{name}</bdi>
        </b>
        {isTakenBack ? (
          <span className={styles.note}>{t('own.takenBack')}</span>
        ) : (
          <span className={`${styles.state} ${styles[tone]}`}>
            {tone === 'good' && <Check size={16} aria-hidden />}
            {t(label)}
          </span>
        )}
      </div>
      {/* One button, which keeps the focus. */}
      <Button
        variant={isTakenBack ? 'secondary' : 'outline'}
        size="small"
        icon={isTakenBack && <Undo2 size={18} aria-hidden />}
        aria-label={t(isTakenBack ? 'own.undo.label' : 'own.takeBack.label', { name })}
        onClick={isTakenBack ? onUndo : onTakeBack}
      >
        {t(isTakenBack ? 'common.undo' : 'own.takeBack')}
      </Button>
    </li>
  )
}
