import { useState } from 'react'
import type { GalleryUpload } from '@confetti/contracts'
import { useText } from '../../texts.ts'
import styles from './large-view.module.css'
import { describeUpload, isVideo } from './texts.ts'

interface Props {
  upload: GalleryUpload
  onLinkFailed: () => void
}

/** A video, which is loaded when it is played. A new link does not restart it. */
const Video = ({ upload, onLinkFailed }: Props) => {
  const t = useText()
  const { previewUrl, videoUrl } = upload
  const [playingSrc, setPlayingSrc] = useState<string>()
  const [failedSrc, setFailedSrc] = useState<string>()
  const src = playingSrc ?? videoUrl
  if (!src)
    return (
      <div className={styles.frame}>
        <img
          src={previewUrl}
          alt={describeUpload(t, upload)}
          className={styles.picture}
          onError={onLinkFailed}
        />
        <p className={styles.note}>{t('gallery.noVideo')}</p>
      </div>
    )
  return (
    <div className={styles.frame}>
      {/* eslint-disable-next-line jsx-a11y/media-has-caption -- guests' videos have no captions */}
      <video
        controls
        playsInline
        preload="none"
        src={src}
        poster={previewUrl}
        aria-label={describeUpload(t, upload)}
        className={styles.picture}
        onPlay={() => setPlayingSrc(src)}
        onError={() => {
          setPlayingSrc(undefined)
          setFailedSrc(src)
          onLinkFailed()
        }}
      />
      {failedSrc === src && (
        <p role="status" className={styles.note}>
          {t('gallery.videoFailed')}
        </p>
      )}
    </div>
  )
}

/** One upload as large as the screen allows; its thumbnail until the picture is there. */
export const LargeView = ({ upload, onLinkFailed }: Props) => {
  const t = useText()
  const { width, height, thumbnailUrl, previewUrl } = upload
  if (isVideo(upload)) return <Video upload={upload} onLinkFailed={onLinkFailed} />
  return (
    // Not enlarged beyond its own size.
    <div className={styles.frame} style={{ maxWidth: width, maxHeight: height }}>
      <img src={thumbnailUrl} alt="" className={styles.picture} />
      <img
        src={previewUrl}
        alt={describeUpload(t, upload)}
        draggable={false}
        className={styles.picture}
        onError={onLinkFailed}
      />
    </div>
  )
}
