import { useRef, useState } from 'react'
import type { Upload } from '@confetti/contracts'
import styles from './player.module.css'

interface Props {
  upload: Upload
  /** The picture until it plays, as large as it is shown. */
  poster: string | undefined
  /** Told when the link does not work: it may have expired. */
  onStale: () => void
  preload?: 'none' | 'metadata'
}

/** A video that plays on while its link is renewed, and goes on where it was if the link expires. */
export const Player = ({ upload, poster, onStale, preload = 'none' }: Props) => {
  const [playing, setPlaying] = useState<string>()
  const [broken, setBroken] = useState<string>()
  const resumeAt = useRef(0)
  // Another address would begin the video anew.
  const src = playing ?? upload.url

  return (
    <div className={styles.frame}>
      <video
        controls
        playsInline
        preload={preload}
        src={src}
        poster={poster}
        aria-label={`Video ${upload.originalName}`}
        onPlay={() => setPlaying(src)}
        onLoadedMetadata={({ currentTarget }) => {
          if (resumeAt.current === 0) return
          currentTarget.currentTime = resumeAt.current
          resumeAt.current = 0
          // Where a video may not start by itself, the reader presses play.
          currentTarget.play().catch(() => undefined)
        }}
        onError={({ currentTarget }) => {
          resumeAt.current = currentTarget.currentTime
          setPlaying(undefined)
          setBroken(src)
          if (src === upload.url) onStale()
        }}
      />
      {broken === src && (
        <p role="status" className={styles.note}>
          This video does not play here. It can be downloaded.
        </p>
      )}
    </div>
  )
}
