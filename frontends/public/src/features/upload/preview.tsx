import { useEffect, useRef, useState } from 'react'
import Film from 'lucide-react/icons/film'
import ImageIcon from 'lucide-react/icons/image'
import { isVideoFile } from './file-validation.ts'
import { loadUploadCode } from './load-upload-code.ts'
import styles from './preview.module.css'

/**
 * A small preview of a photo or of a video's frame, or an icon if the browser cannot decode the file. Hidden from screen
 * readers, which read the file's name beside it.
 */
export const Preview = ({ file }: { file: File }) => {
  const isVideo = isVideoFile(file)
  const canvasRef = useRef<HTMLCanvasElement>(null)
  const [isDrawn, setIsDrawn] = useState(false)

  useEffect(() => {
    const canvas = canvasRef.current
    if (!canvas || isDrawn) return
    let stop: (() => void) | undefined
    let isStopped = false
    void loadUploadCode().then((sending) => {
      if (!isStopped) stop = sending?.drawPreview({ file, canvas, onDrawn: () => setIsDrawn(true) })
    })
    return () => {
      isStopped = true
      stop?.()
    }
  }, [file, isDrawn])

  return (
    <span aria-hidden="true" className={`${styles.tile} ${isVideo ? styles.video : ''}`}>
      {isVideo ? <Film size={22} /> : <ImageIcon size={22} />}
      <canvas ref={canvasRef} className={isDrawn ? styles.drawn : styles.blank} />
      {isVideo && isDrawn && <Film size={20} className={styles.badge} />}
    </span>
  )
}
