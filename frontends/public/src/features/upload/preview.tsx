import { useEffect, useRef, useState } from 'react'
import Film from 'lucide-react/icons/film'
import ImageIcon from 'lucide-react/icons/image'
import { isVideoFile } from './file-choice.ts'
import { orderPreview, PREVIEW_PX } from './preview-queue.ts'
import styles from './preview.module.css'
import { whileSeen } from './while-seen.ts'

/** A photo or a frame of a video, small; a tile for what the browser cannot show. Says nothing: the file's name stands beside it. */
export const Preview = ({ file }: { file: File }) => {
  const video = isVideoFile(file)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState(false)

  useEffect(() => {
    const target = canvas.current
    if (!target || drawn) return
    return whileSeen(target, () => orderPreview({ file, canvas: target, onDrawn: () => setDrawn(true) }))
  }, [file, drawn])

  return (
    <span aria-hidden="true" className={`${styles.tile} ${video ? styles.video : ''}`}>
      {video ? <Film size={22} /> : <ImageIcon size={22} />}
      <canvas
        ref={canvas}
        width={PREVIEW_PX}
        height={PREVIEW_PX}
        className={drawn ? styles.drawn : styles.blank}
      />
      {video && drawn && <Film size={20} className={styles.badge} />}
    </span>
  )
}
