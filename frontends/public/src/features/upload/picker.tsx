import { useEffect, useId, useState, type RefObject } from 'react'
import Camera from 'lucide-react/icons/camera'
import { accept } from './file-choice.ts'
import hidden from '@confetti/ui/hidden.module.css'
import styles from './picker.module.css'

interface Props {
  input: RefObject<HTMLInputElement | null>
  onChoose: (files: readonly File[]) => void
  /** Whether files are chosen already: then it makes room for them. */
  more: boolean
}

const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

/** The place to choose files, or to drop them: anywhere on the page, since one beside it would replace the page. */
export const Picker = ({ input, onChoose, more }: Props) => {
  const id = useId()
  const [over, setOver] = useState(false)

  useEffect(() => {
    const hover = (event: DragEvent): void => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(false)
      onChoose([...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener('dragover', hover)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', hover)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [onChoose])

  return (
    <div className={`${styles.drop} ${more ? styles.more : ''} ${over ? styles.over : ''}`}>
      <span className={styles.icon}>
        <Camera size={more ? 22 : 28} strokeWidth={1.75} aria-hidden />
      </span>
      <p id={`${id}-title`} className={styles.title}>
        {more ? 'Add more' : 'Add'}
        <span className={more ? hidden.heard : ''}> photos and videos</span>
      </p>
      <p id={`${id}-hint`} className={styles.hint}>
        You can upload images (JPG, PNG, GIF, WEBP, HEIC) and videos (MP4, MOV).
      </p>
      {/* It covers the place and is seen through: iOS forgets the choice of an input that is not in the document. */}
      <input
        ref={input}
        type="file"
        multiple
        accept={accept}
        title=""
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-hint`}
        className={styles.input}
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])])
          // So that a file that was removed can be chosen again.
          currentTarget.value = ''
        }}
      />
    </div>
  )
}
