import { MAX_SELECTED_UPLOADS, type Upload } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { ArchiveButton } from './archive-button.tsx'
import { formatCount, formatSize } from './format-size.ts'
import type { CreateArchive } from './request-archive.ts'
import styles from './selection-bar.module.css'
import { useArchiveDownload } from './use-archive-download.ts'
import { useSelectionKeys } from './use-selection-keys.ts'
import type { Selection } from './use-selection.ts'
import { groupVisibilityActions, type ChangeVisibility } from './visibility-actions.ts'

const describeSelection = (selected: readonly Upload[], shown: readonly Upload[]): string => {
  if (selected.length === 0) return 'Select photos and videos to download.'
  const size = formatSize(selected.reduce((sum, upload) => sum + upload.size, 0))
  const shownIds = new Set(shown.map(({ _id }) => _id))
  const hiddenCount = selected.filter(({ _id }) => !shownIds.has(_id)).length
  const verb = hiddenCount === 1 ? 'is' : 'are'
  const hidden = hiddenCount > 0 ? ` ${formatCount(hiddenCount)} ${verb} hidden by the filter.` : ''
  return `${formatCount(selected.length)} selected, ${size}.${hidden}`
}

interface Props {
  selection: Selection
  /** All uploads. */
  uploads: readonly Upload[]
  /** Whether these are all uploads of the event. */
  isComplete: boolean
  /** The uploads that the gallery shows. */
  shown: readonly Upload[]
  /** The guest of the filter. */
  guest: string | undefined
  createArchive: CreateArchive
  /** Adds buttons that show and hide the selected uploads. */
  onVisibility: ChangeVisibility | undefined
  onUploadNotFound: () => void
}

/** The actions of selection mode: download, approve, show, hide, select all shown or all of a guest, clear, done. */
export const SelectionBar = ({
  selection,
  uploads,
  isComplete,
  shown,
  guest,
  createArchive,
  onVisibility,
  onUploadNotFound,
}: Props) => {
  const { selected, last, add, clear, stop } = selection
  const download = useArchiveDownload({ createArchive, onUploadNotFound })
  const guestToSelect = guest ?? last?.photoCredit
  const selectAll = (all: readonly Upload[]): void => {
    // Until then it would miss uploads that are still loading.
    if (isComplete) add(all)
  }
  useSelectionKeys({
    onSelectAll: () => selectAll(shown),
    // The selection stays, so that its download can be started again.
    onEscape: download.isBusy ? download.cancel : stop,
  })
  const isTooLarge = selected.length > MAX_SELECTED_UPLOADS
  return (
    <div role="group" aria-label="Selection" className={styles.bar}>
      <p role="status" className={styles.count}>
        {describeSelection(selected, shown)}
        {isTooLarge &&
          ` At most ${formatCount(MAX_SELECTED_UPLOADS)} can be downloaded at once. Select fewer, or download everything.`}
      </p>
      <ArchiveButton
        label={`Download ${formatCount(selected.length)} selected`}
        download={download}
        options={{ uploadIds: selected.map(({ _id }) => _id), folders: 'none' }}
        disabled={selected.length === 0 || isTooLarge}
      />
      <div className={styles.actions}>
        {onVisibility &&
          groupVisibilityActions(selected).map(({ label, visibility, uploads: changed }) => (
            <Button
              key={label}
              variant="secondary"
              size="small"
              onClick={() => onVisibility(changed, visibility)}
            >
              {label} {formatCount(changed.length)}
            </Button>
          ))}
        {guestToSelect !== undefined && (
          <Button
            variant="outline"
            size="small"
            className={styles.guest}
            aria-disabled={!isComplete}
            onClick={() => selectAll(uploads.filter(({ photoCredit }) => photoCredit === guestToSelect))}
          >
            <span>Select all of {guestToSelect}</span>
          </Button>
        )}
        <Button variant="outline" size="small" aria-disabled={!isComplete} onClick={() => selectAll(shown)}>
          Select all shown
        </Button>
        <Button
          variant="outline"
          size="small"
          aria-disabled={selected.length === 0}
          onClick={() => {
            if (selected.length > 0) clear()
          }}
        >
          Clear
        </Button>
        <Button variant="secondary" size="small" onClick={stop}>
          Done
        </Button>
      </div>
    </div>
  )
}
