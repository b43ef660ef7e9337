import { MAX_SELECTED_UPLOADS, type Upload } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { ArchiveControl } from './archive-download.tsx'
import { formatSize } from './format-size.ts'
import styles from './selection-bar.module.css'
import { useText, type Text, type TextId } from './texts.ts'
import { useArchive, type CreateArchive } from './use-archive.ts'
import { useSelectionKeys } from './use-selection-keys.ts'
import type { Selection } from './use-selection.ts'
import { groupVisibilityActions, type ChangeVisibility, type VisibilityAction } from './visibility-actions.ts'

const actionLabelIds: Record<VisibilityAction['kind'], TextId> = {
  approve: 'album.selection.approve',
  show: 'album.selection.show',
  hide: 'album.selection.hide',
}

const describeSelection = (t: Text, selected: readonly Upload[], shown: readonly Upload[]): string => {
  const count = selected.length
  if (count === 0) return t('album.selection.empty')
  const size = formatSize(selected.reduce((sum, upload) => sum + upload.size, 0))
  const shownIds = new Set(shown.map(({ _id }) => _id))
  const filtered = selected.filter(({ _id }) => !shownIds.has(_id)).length
  return filtered > 0
    ? t('album.selection.countFiltered', { count, size, filtered })
    : t('album.selection.count', { count, size })
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
  const t = useText()
  const { selected, last, add, clear, stop } = selection
  const archive = useArchive({ createArchive, onUploadNotFound })
  const guestToSelect = guest ?? last?.photoCredit
  const selectAll = (all: readonly Upload[]): void => {
    // Until then it would miss uploads that are still loading.
    if (isComplete) add(all)
  }
  useSelectionKeys({
    onSelectAll: () => selectAll(shown),
    // The selection stays, so that its download can be started again.
    onEscape: archive.isBusy ? archive.cancel : stop,
  })
  const isTooLarge = selected.length > MAX_SELECTED_UPLOADS
  return (
    <div role="group" aria-label={t('album.selection')} className={styles.bar}>
      <p role="status" className={styles.count}>
        {describeSelection(t, selected, shown)}
        {isTooLarge && <> {t('album.selection.tooMany', { max: MAX_SELECTED_UPLOADS })}</>}
      </p>
      <ArchiveControl
        label={t('album.selection.download', { count: selected.length })}
        archive={archive}
        options={{ uploadIds: selected.map(({ _id }) => _id), folders: 'none' }}
        isDisabled={selected.length === 0 || isTooLarge}
      />
      <div className={styles.actions}>
        {onVisibility &&
          groupVisibilityActions(selected).map(({ kind, visibility, uploads: changed }) => (
            <Button
              key={kind}
              variant="secondary"
              size="small"
              onClick={() => onVisibility(changed, visibility)}
            >
              {t(actionLabelIds[kind], { count: changed.length })}
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
            {t('album.selection.selectGuest', { guest: guestToSelect })}
          </Button>
        )}
        <Button variant="outline" size="small" aria-disabled={!isComplete} onClick={() => selectAll(shown)}>
          {t('album.selection.selectShown')}
        </Button>
        <Button
          variant="outline"
          size="small"
          aria-disabled={selected.length === 0}
          onClick={() => {
            if (selected.length > 0) clear()
          }}
        >
          {t('album.selection.clear')}
        </Button>
        <Button variant="secondary" size="small" onClick={stop}>
          {t('album.selection.done')}
        </Button>
      </div>
    </div>
  )
}
