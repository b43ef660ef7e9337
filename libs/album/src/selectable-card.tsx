import { memo, type KeyboardEvent } from 'react'
import Check from 'lucide-react/icons/check'
import Play from 'lucide-react/icons/play'
import type { Upload } from '@confetti/contracts'
import { isVideo } from './file-names.ts'
import styles from './selectable-card.module.css'
import { useText } from './texts.ts'
import cardStyles from './upload-card.module.css'
import { backdropOf, Thumbnail, UploadCaption, UploadName } from './upload-medium.tsx'

interface Props {
  upload: Upload
  isNarrow: boolean
  isSelected: boolean
  /** Whether Tab reaches this card; arrow keys reach the others. */
  isTabStop: boolean
  /** Called on a click, Space and Enter; `extendsRange` is set while Shift is down. */
  onSelect: (upload: Upload, extendsRange: boolean) => void
  onLinkFailed: () => void
}

const Card = ({ upload, isNarrow, isSelected, isTabStop, onSelect, onLinkFailed }: Props) => {
  const t = useText()
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    if (!event.repeat) onSelect(upload, event.shiftKey)
  }

  const classes = [
    cardStyles.card,
    isNarrow && cardStyles.narrow,
    styles.selectable,
    isSelected && styles.selected,
  ]
  return (
    // Not a button: browsers differ in whether its click event has `shiftKey`, and Safari does not focus it.
    <div
      role="checkbox"
      aria-checked={isSelected}
      aria-label={t('album.file.from', { name: upload.originalName, guest: upload.photoCredit })}
      tabIndex={isTabStop ? 0 : -1}
      data-main
      className={classes.filter(Boolean).join(' ')}
      onClick={({ shiftKey }) => onSelect(upload, shiftKey)}
      onKeyDown={handleKeyDown}
    >
      <div className={cardStyles.media} style={backdropOf(upload)}>
        <div className={styles.picture}>
          <Thumbnail upload={upload} onLinkFailed={onLinkFailed} />
        </div>
        {isVideo(upload) && <Play size={40} fill="currentColor" aria-hidden className={styles.play} />}
        <span className={styles.mark}>{isSelected && <Check size={20} strokeWidth={3} aria-hidden />}</span>
        <div className={cardStyles.caption}>
          <UploadCaption upload={upload} />
        </div>
      </div>
      <div className={cardStyles.actions}>
        <div className={cardStyles.name}>
          <UploadName upload={upload} />
        </div>
      </div>
    </div>
  )
}

/** One upload in the grid in selection mode: a checkbox. */
export const SelectableCard = memo(Card)
