import { useEffect, useState } from 'react'
import FileVideo from 'lucide-react/icons/file-play'
import ImageIcon from 'lucide-react/icons/image'
import type { Upload } from '@confetti/contracts'
import { isVideo } from './file-names.ts'
import styles from './picture.module.css'
import { useText } from './texts.ts'

// A picture may fail because the connection was lost for a moment.
const RETRY_DELAY_MS = 15_000

/** Shown while an upload is being processed, or if no picture could be made of it. */
const Placeholder = ({ upload }: { upload: Upload }) => {
  const t = useText()
  const isProcessing = upload.status === 'processing'
  const Icon = isVideo(upload) ? FileVideo : ImageIcon
  return (
    <span className={`${styles.placeholder} ${isProcessing ? styles.processing : ''}`}>
      <Icon size={36} strokeWidth={1.5} aria-hidden />
      <span className={styles.name}>
        {isProcessing ? t('album.file.processing') : <bdi>{upload.originalName}</bdi>}
      </span>
    </span>
  )
}

interface Props {
  upload: Upload
  src: string | undefined
  loading?: 'lazy' | 'eager'
  /** Called when the picture fails to load: its link may have expired. */
  onLinkFailed: () => void
  className?: string
}

/** The picture of an upload, in a space of its size, or a placeholder. */
export const Picture = ({ upload, src, loading = 'lazy', onLinkFailed, className = '' }: Props) => {
  const [failedSrc, setFailedSrc] = useState<string>()

  useEffect(() => {
    if (!failedSrc) return
    const timer = setTimeout(() => setFailedSrc(undefined), RETRY_DELAY_MS)
    return () => clearTimeout(timer)
  }, [failedSrc])

  if (!src || failedSrc === src) return <Placeholder upload={upload} />
  return (
    <img
      src={src}
      alt={upload.originalName}
      width={upload.width}
      height={upload.height}
      loading={loading}
      decoding="async"
      draggable={false}
      className={`${styles.picture} ${className}`}
      onError={() => {
        setFailedSrc(src)
        onLinkFailed()
      }}
    />
  )
}
