import { useEffect, useState, type ReactNode } from 'react'
import FileVideo from 'lucide-react/icons/file-play'
import ImageIcon from 'lucide-react/icons/image'
import type { Upload } from '@confetti/contracts'
import { isVideo } from './file-names.ts'
import styles from './picture.module.css'

// A picture that did not come may have met a bad moment of the connection.
const AGAIN_AFTER_MS = 15_000

/** Stands where there is no picture: not yet, or never. */
const Stead = ({ upload, waiting }: { upload: Upload; waiting: boolean }) => {
  const Icon = isVideo(upload) ? FileVideo : ImageIcon
  return (
    <span className={`${styles.stead} ${waiting ? styles.waiting : ''}`}>
      <Icon size={36} strokeWidth={1.5} aria-hidden />
      <span className={styles.name}>{waiting ? 'Getting ready' : upload.originalName}</span>
    </span>
  )
}

interface Props {
  upload: Upload
  src: string | undefined
  loading?: 'lazy' | 'eager'
  /** Told when the link does not work: it may have expired. */
  onStale: () => void
  /** Shown instead of the icon while there is no picture. */
  stead?: ReactNode
  className?: string
}

/** The picture of an upload, with its room kept from the start; something calm where there is none. */
export const Picture = ({ upload, src, loading = 'lazy', onStale, stead, className = '' }: Props) => {
  const [broken, setBroken] = useState<string>()

  useEffect(() => {
    if (!broken) return
    const again = setTimeout(() => setBroken(undefined), AGAIN_AFTER_MS)
    return () => clearTimeout(again)
  }, [broken])

  if (!src || broken === src)
    return stead ?? <Stead upload={upload} waiting={upload.status === 'processing'} />
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
        setBroken(src)
        onStale()
      }}
    />
  )
}
