import { useEffect, useId, useRef, useState, type ChangeEvent, type RefObject } from 'react'
import Camera from 'lucide-react/icons/camera'
import { buttonClass } from '@confetti/ui/button'
import { useText } from '../../texts.ts'
import styles from './file-picker.module.css'
import { getAccept } from './file-validation.ts'

interface Props {
  input: RefObject<HTMLInputElement | null>
  onSelect: (files: readonly File[]) => void
  /** Whether files are selected already. The picker is smaller then. */
  hasFiles: boolean
  /** Whether files are being chosen or examined. */
  isPreparing: boolean
  onChoosing: (isChoosing: boolean) => void
}

const isFileDrag = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

/** Whether the browser can open the camera: those of phones and tablets have the property. */
const canOpenCamera = (): boolean => 'capture' in HTMLInputElement.prototype

/**
 * A file input with a drop zone, and on phones a button for the camera. The whole window accepts drops, because the
 * browser would open a file that is dropped beside the zone, in place of the page.
 */
export const FilePicker = ({ input, onSelect, hasFiles, isPreparing, onChoosing }: Props) => {
  const t = useText()
  const id = useId()
  const inputs = useRef<HTMLDivElement>(null)
  const [isDraggingOver, setIsDraggingOver] = useState(false)

  useEffect(() => {
    const element = inputs.current
    const handleCancel = (): void => onChoosing(false)
    // React has this event for dialogs only.
    element?.addEventListener('cancel', handleCancel, { capture: true })
    return () => element?.removeEventListener('cancel', handleCancel, { capture: true })
  }, [onChoosing])

  useEffect(() => {
    const handleDragOver = (event: DragEvent): void => {
      if (!isFileDrag(event)) return
      event.preventDefault()
      setIsDraggingOver(true)
    }
    const handleDragLeave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setIsDraggingOver(false)
    }
    const handleDrop = (event: DragEvent): void => {
      if (!isFileDrag(event)) return
      event.preventDefault()
      setIsDraggingOver(false)
      onChoosing(false)
      onSelect([...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener('dragover', handleDragOver)
    window.addEventListener('dragleave', handleDragLeave)
    window.addEventListener('drop', handleDrop)
    return () => {
      window.removeEventListener('dragover', handleDragOver)
      window.removeEventListener('dragleave', handleDragLeave)
      window.removeEventListener('drop', handleDrop)
    }
  }, [onSelect, onChoosing])

  const handleChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    onChoosing(false)
    onSelect([...(currentTarget.files ?? [])])
    // Cleared, so that a removed file can be selected again.
    currentTarget.value = ''
  }

  return (
    <div ref={inputs}>
      <div
        className={`${styles.dropZone} ${hasFiles ? styles.compact : ''} ${isDraggingOver ? styles.over : ''}`}
      >
        <span className={styles.icon}>
          <Camera size={hasFiles ? 22 : 28} strokeWidth={1.75} aria-hidden />
        </span>
        <p className={hasFiles ? styles.title : buttonClass({ size: 'large' })}>
          {t(hasFiles ? 'upload.addMore' : 'upload.add')}
        </p>
        <p id={`${id}-hint`} className={styles.hint}>
          {t('upload.hint')}
        </p>
        {/* Transparent, over the whole zone. iOS drops the selection of an input that is not in the document. */}
        <input
          ref={input}
          type="file"
          multiple
          accept={getAccept(navigator.userAgent)}
          title=""
          aria-label={t(hasFiles ? 'upload.addMore.label' : 'upload.add')}
          aria-describedby={`${id}-hint`}
          className={styles.input}
          onClick={() => onChoosing(true)}
          onChange={handleChange}
        />
      </div>
      <p role="status" className={styles.preparing}>
        {isPreparing && t('upload.preparing')}
      </p>
      {canOpenCamera() && (
        <div className={styles.camera}>
          <label className={buttonClass({ variant: 'secondary', wide: true })}>
            <Camera size={20} aria-hidden />
            {t('upload.takePhoto')}
            <input
              type="file"
              accept="image/*"
              capture="environment"
              title=""
              className={styles.input}
              onClick={() => onChoosing(true)}
              onChange={handleChange}
            />
          </label>
        </div>
      )}
    </div>
  )
}
