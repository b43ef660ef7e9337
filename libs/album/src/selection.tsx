import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { MAX_SELECTED_UPLOADS, type Upload } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { ArchiveControl, useArchive, type CreateArchive } from './archive-download.tsx'
import { groupVisibilityActions, type ChangeVisibility, type VisibilityAction } from './grid-view.ts'
import styles from './selection.module.css'
import { ShareButton } from './share-button.tsx'
import { useText, type Text, type TextId } from './texts.ts'
import { formatSize } from './upload.ts'

const noIds: ReadonlySet<string> = new Set()

/** The uploads from one to another one in a list, in either direction. Only `to` if `from` is not in the list. */
export const findRange = (
  uploads: readonly Upload[],
  from: string | undefined,
  to: string,
): readonly Upload[] => {
  const end = uploads.findIndex(({ _id }) => _id === to)
  const start = uploads.findIndex(({ _id }) => _id === from)
  if (start === -1) return uploads.slice(end, end + 1)
  return uploads.slice(Math.min(start, end), Math.max(start, end) + 1)
}

/**
 * A selection of uploads. Uploads that a filter hides stay selected; deleted ones leave the selection. `uploads` are
 * all uploads, `shown` those that the photo grid shows, in its order.
 */
export const useSelection = (uploads: readonly Upload[], shown: readonly Upload[]) => {
  const [isSelecting, setIsSelecting] = useState(false)
  const [chosenIds, setChosenIds] = useState(noIds)
  const [lastId, setLastId] = useState<string>()
  // Where a range begins. A ref, so that a click does not change the callback of every card.
  const rangeStartId = useRef<string>(undefined)

  const selected = useMemo(() => uploads.filter(({ _id }) => chosenIds.has(_id)), [uploads, chosenIds])
  const ids = useMemo(() => new Set(selected.map(({ _id }) => _id)), [selected])

  const clear = (): void => {
    setChosenIds(noIds)
    setLastId(undefined)
    rangeStartId.current = undefined
  }
  const add = useCallback(
    (more: readonly Upload[]): void =>
      setChosenIds((before) => new Set([...before, ...more.map(({ _id }) => _id)])),
    [],
  )
  const toggle = useCallback(({ _id }: Upload): void => {
    setChosenIds((before) => {
      const after = new Set(before)
      if (!after.delete(_id)) after.add(_id)
      return after
    })
    setLastId(_id)
    rangeStartId.current = _id
  }, [])
  const extendTo = useCallback(
    ({ _id }: Upload): void => {
      const start = rangeStartId.current
      add(findRange(shown, start, _id))
      if (!shown.some((upload) => upload._id === start)) rangeStartId.current = _id
      setLastId(_id)
    },
    [add, shown],
  )

  return {
    isSelecting,
    /** The selected uploads, in the order of `uploads`. */
    selected,
    ids,
    /** The upload whose card was selected or deselected last. */
    last: uploads.find(({ _id }) => _id === lastId),
    start: (): void => setIsSelecting(true),
    /** Leaves selection mode. */
    stop: (): void => {
      setIsSelecting(false)
      clear()
    },
    clear,
    add,
    /** Selects or deselects an upload. */
    toggle,
    /** Selects all from the upload that was last selected or deselected without a range to this one. */
    extendTo,
  }
}
type Selection = ReturnType<typeof useSelection>

interface KeyOptions {
  onSelectAll: () => void
  onEscape: () => void
}

/** Whether an element has its own use for Ctrl+A or Escape. */
const usesKeys = (element: EventTarget | null): boolean =>
  element instanceof Element && element.matches('select, textarea, input:not([type=radio])')

/** Handles Ctrl+A, Cmd+A and Escape in selection mode, wherever on the page the focus is. */
const useSelectionKeys = ({ onSelectAll, onEscape }: KeyOptions): void => {
  useLayoutEffect(() => {
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || usesKeys(event.target)) return
      if (event.key === 'Escape') onEscape()
      if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        onSelectAll()
      }
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [onSelectAll, onEscape])
}

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
  /** The uploads that the photo grid shows. */
  shown: readonly Upload[]
  /** The credit of the filter. */
  credit: string | undefined
  createArchive: CreateArchive
  /** Adds buttons that show and hide the selected uploads. */
  onVisibility: ChangeVisibility | undefined
  /** Adds a button that deletes the selected uploads. */
  onDelete: ((uploads: readonly Upload[]) => void) | undefined
  onUploadNotFound: () => void
}

/** The actions of selection mode: done, download, approve, show, hide, delete, select all of a guest or all shown, clear. */
export const SelectionBar = ({
  selection,
  uploads,
  isComplete,
  shown,
  credit,
  createArchive,
  onVisibility,
  onDelete,
  onUploadNotFound,
}: Props) => {
  const t = useText()
  const { selected, last, add, clear, stop } = selection
  const archive = useArchive({ createArchive, onUploadNotFound })
  const creditToSelect = credit ?? last?.photoCredit
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
      <Button variant="secondary" size="small" onClick={stop}>
        {t('album.selection.done')}
      </Button>
      <div className={styles.actions}>
        <ArchiveControl
          label={t('album.selection.download', { count: selected.length })}
          archive={archive}
          options={{ uploadIds: selected.map(({ _id }) => _id), folders: 'none' }}
          isDisabled={selected.length === 0 || isTooLarge}
        />
        <ShareButton uploads={selected} />
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
        {onDelete && selected.length > 0 && (
          <Button
            variant="secondary"
            size="small"
            className={styles.delete}
            onClick={() => onDelete(selected)}
          >
            {t('album.selection.delete', { count: selected.length })}
          </Button>
        )}
        {creditToSelect !== undefined && (
          <Button
            variant="outline"
            size="small"
            className={styles.guest}
            aria-disabled={!isComplete}
            onClick={() => selectAll(uploads.filter(({ photoCredit }) => photoCredit === creditToSelect))}
          >
            {t('album.selection.selectGuest', { guest: creditToSelect })}
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
      </div>
    </div>
  )
}
