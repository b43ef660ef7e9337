import { useEffect, useId, useState, type ChangeEvent, type RefObject } from 'react'
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
}

const isFileDrag = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

/** Whether the browser can open the camera: those of phones and tablets have the property. */
const canOpenCamera = (): boolean => 'capture' in HTMLInputElement.prototype

/**
 * A file input with a drop zone, and on phones a button for the camera. The whole window accepts drops, because the
 * browser would open a file that is dropped beside the zone, in place of the page.
 */
export const FilePicker = ({ input, onSelect, hasFiles }: Props) => {
  const t = useText()
  const id = useId()
  const [isDraggingOver, setIsDraggingOver] = useState(false)
  // From the moment that the picker opens until files arrive, because an iPhone downloads photos from iCloud after the
  // picker has closed. A browser without the event `cancel` keeps the hint when the picker is cancelled: the focus returns
  // at the same moment, whether photos are being prepared or not.
  const [isPreparing, setIsPreparing] = useState(false)

  useEffect(() => {
    const element = input.current
    const handleCancel = (): void => setIsPreparing(false)
    element?.addEventListener('cancel', handleCancel)
    return () => element?.removeEventListener('cancel', handleCancel)
  }, [input])

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
      setIsPreparing(false)
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
  }, [onSelect])

  const handleChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    setIsPreparing(false)
    onSelect([...(currentTarget.files ?? [])])
    // Cleared, so that a removed file can be selected again.
    currentTarget.value = ''
  }

  return (
    <div>
      <div
        className={`${styles.dropZone} ${hasFiles ? styles.compact : ''} ${isDraggingOver ? styles.over : ''}`}
      >
        <span className={styles.icon}>
          <Camera size={hasFiles ? 22 : 28} strokeWidth={1.75} aria-hidden />
        </span>
        <p className={styles.title}>{t(hasFiles ? 'upload.addMore' : 'upload.add')}</p>
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
          onClick={() => setIsPreparing(true)}
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
              onChange={handleChange}
            />
          </label>
        </div>
      )}
    </div>
  )
}
