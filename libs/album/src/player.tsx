import { useRef, useState } from 'react'
import type { Upload } from '@confetti/contracts'
import styles from './player.module.css'
import { useText } from './texts.ts'

interface Props {
  upload: Upload
  /** The picture shown until the video plays. */
  poster: string | undefined
  /** Called when the video fails to load: its link may have expired. */
  onLinkFailed: () => void
  preload?: 'none' | 'metadata'
}

/** A video player, of the web rendition if there is one, that keeps playing while its link is renewed, and resumes after a link has expired. */
export const Player = ({ upload, poster, onLinkFailed, preload = 'none' }: Props) => {
  const t = useText()
  const [playingSrc, setPlayingSrc] = useState<string>()
  const [failedSrc, setFailedSrc] = useState<string>()
  const resumeAt = useRef(0)
  const link = upload.videoUrl ?? upload.url
  // A new src would restart the video.
  const src = playingSrc ?? link

  return (
    <div className={styles.frame}>
      {/* eslint-disable-next-line jsx-a11y/media-has-caption -- guests' videos have no captions */}
      <video
        controls
        playsInline
        preload={preload}
        src={src}
        poster={poster}
        aria-label={t('album.file.video', { name: upload.originalName })}
        onPlay={() => setPlayingSrc(src)}
        onLoadedMetadata={({ currentTarget }) => {
          if (resumeAt.current === 0) return
          currentTarget.currentTime = resumeAt.current
          resumeAt.current = 0
          // Some browsers do not allow playback without a click; the viewer then presses play.
          currentTarget.play().catch(() => undefined)
        }}
        onError={({ currentTarget }) => {
          resumeAt.current = currentTarget.currentTime
          setPlayingSrc(undefined)
          setFailedSrc(src)
          if (src === link) onLinkFailed()
        }}
      />
      {failedSrc === src && (
        <p role="status" className={styles.note}>
          {t('album.file.videoFailed')}
        </p>
      )}
    </div>
  )
}
