import { useEffect, useRef, useState, type ReactNode } from 'react'
import styles from './medium.module.css'

// The picture or video of an upload, for guests and members.

// A picture may fail because the connection was lost for a moment.
const RETRY_DELAY_MS = 15_000

interface PictureProps {
  src: string | undefined
  alt: string
  width?: number | undefined
  height?: number | undefined
  loading?: 'lazy' | 'eager'
  fetchPriority?: 'high' | 'auto'
  /** How it fills its space; the whole picture by default. */
  className?: string | undefined
  /** Shown without a picture. */
  placeholder?: ReactNode
  /** Called when the picture fails to load: its link may have expired. */
  onLinkFailed?: () => void
}

/** A picture, in a space of its size, or a placeholder. */
export const Picture = ({
  src,
  alt,
  width,
  height,
  loading = 'lazy',
  fetchPriority = 'auto',
  className = styles.picture,
  placeholder,
  onLinkFailed,
}: PictureProps) => {
  const [failedSrc, setFailedSrc] = useState<string>()

  useEffect(() => {
    if (!failedSrc) return
    const timer = setTimeout(() => setFailedSrc(undefined), RETRY_DELAY_MS)
    return () => clearTimeout(timer)
  }, [failedSrc])

  if (!src || failedSrc === src) return placeholder
  return (
    <img
      src={src}
      alt={alt}
      width={width}
      height={height}
      loading={loading}
      decoding="async"
      draggable={false}
      fetchPriority={fetchPriority}
      className={className}
      onError={() => {
        setFailedSrc(src)
        onLinkFailed?.()
      }}
    />
  )
}

export interface Video {
  label: string
  src: string
  /** The picture shown until the video plays. */
  poster: string | undefined
  preload: 'none' | 'metadata'
  failedText: string
}

interface PlayerProps {
  video: Video
  /** Called when the video fails to load: its link may have expired. */
  onLinkFailed: () => void
}

/** A video player that keeps playing while its link is renewed, and resumes after a link has expired. */
export const Player = ({ video, onLinkFailed }: PlayerProps) => {
  const [playingSrc, setPlayingSrc] = useState<string>()
  const [failedSrc, setFailedSrc] = useState<string>()
  const resumeAt = useRef(0)
  // A new src would restart the video.
  const src = playingSrc ?? video.src

  return (
    <div className={styles.frame}>
      {/* eslint-disable-next-line jsx-a11y/media-has-caption -- guests' videos have no captions */}
      <video
        controls
        playsInline
        preload={video.preload}
        src={src}
        poster={video.poster}
        aria-label={video.label}
        className={styles.picture}
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
          if (src === video.src) onLinkFailed()
        }}
      />
      {failedSrc === src && (
        <p role="status" className={styles.note}>
          {video.failedText}
        </p>
      )}
    </div>
  )
}

/** What is shown of an upload in its large size. */
export interface Medium {
  /** What it is, for those who cannot see it. */
  label: string
  width?: number | undefined
  height?: number | undefined
  /** Shown until the picture has loaded. */
  thumbnailUrl: string | undefined
  pictureUrl: string | undefined
  /** Played instead of the picture. */
  video?: Video | undefined
  /** Over the picture. */
  note?: string | undefined
  /** Shown without a picture. */
  placeholder?: ReactNode
}

/** Loads the large pictures of uploads that come next. */
export const preloadPictures = (urls: readonly (string | undefined)[]): void => {
  for (const url of urls) if (url) new Image().src = url
}

/** A medium as large as the space around it allows. */
export const LargeMedium = ({ medium, onLinkFailed }: { medium: Medium; onLinkFailed: () => void }) => {
  const { label, width, height, thumbnailUrl, pictureUrl, video, note, placeholder } = medium
  if (video) return <Player video={video} onLinkFailed={onLinkFailed} />
  return (
    // Not enlarged beyond its own size.
    <div className={styles.frame} style={{ maxWidth: width, maxHeight: height }}>
      {thumbnailUrl && <img src={thumbnailUrl} alt="" className={styles.picture} />}
      <Picture
        src={pictureUrl}
        alt={label}
        width={width}
        height={height}
        loading="eager"
        placeholder={placeholder}
        onLinkFailed={onLinkFailed}
      />
      {note && <p className={styles.note}>{note}</p>}
    </div>
  )
}
