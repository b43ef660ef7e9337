import { useCallback, useMemo, useRef, useState } from 'react'
import ListChecks from 'lucide-react/icons/list-checks'
import Trash2 from 'lucide-react/icons/trash-2'
import type { Upload } from '@confetti/contracts'
import { Button, IconButton } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { notify } from '@confetti/ui/notify'
import { DownloadButton } from './download-control.tsx'
import type { EventCalls } from './event-calls.ts'
import { GridToolbar } from './grid-toolbar.tsx'
import {
  arrangeUploads,
  defaultView,
  filterUploads,
  useDeferredUploads,
  type ChangeVisibility,
} from './grid-view.ts'
import styles from './photo-grid.module.css'
import { getCardSize, layOutCards, type GridRow } from './grid-layout.ts'
import { LazyViewer } from './lazy-viewer.tsx'
import { ShareButton } from './share-button.tsx'
import { ArchiveDownload, type CreateArchive } from './archive-download.tsx'
import { SelectableCard, UploadCard } from './upload-cards.tsx'
import { SelectionBar, useSelection } from './selection.tsx'
import { getText, useText } from './texts.ts'
import { albumTotal } from './upload.ts'
import { findPreloadUrl, toMedium, UploadDetails } from './upload-medium.tsx'
import type { Uploads } from './use-uploads.ts'
import { VirtualGrid, type GridCell, type GridHandle } from './virtual-grid.tsx'

interface Props extends Pick<
  Uploads,
  'uploads' | 'isComplete' | 'arrivedIds' | 'refresh' | 'renewLinks' | 'reload'
> {
  createArchive: CreateArchive
  /** Adds a way to delete uploads: each by its card, and those that are selected. */
  onDelete?: ((uploads: readonly Upload[]) => void) | undefined
  deletingIds?: ReadonlySet<string> | undefined
  /** Adds actions that show and hide uploads. */
  onVisibility?: ChangeVisibility | undefined
  /** Adds a way to give all uploads of a guest another name. Resolves with how many have got it. */
  renameGuest?: EventCalls['renameGuest'] | undefined
  /** Whether a card has buttons to download and to delete its upload, instead of having them in its menu. */
  hasCardButtons?: boolean
}

const noIds: ReadonlySet<string> = new Set()
// The bar below the cards in selection mode, on a phone.
const SELECTION_BAR_HEIGHT_PX = 130

const layOut = (uploads: readonly Upload[], width: number): readonly GridRow[] =>
  layOutCards(uploads.length, width)

/** A grid of uploads with order, filter and selection mode. */
export const PhotoGrid = ({
  uploads,
  isComplete,
  arrivedIds,
  refresh,
  renewLinks,
  reload,
  createArchive,
  onDelete,
  deletingIds = noIds,
  onVisibility,
  renameGuest,
  hasCardButtons = false,
}: Props) => {
  const t = useText()
  const [view, setView] = useState(defaultView)
  const [isScrolledDown, setIsScrolledDown] = useState(false)
  const { current, deferred, showDeferred } = useDeferredUploads(uploads, isScrolledDown)
  const shown = useMemo(() => arrangeUploads(current, view), [current, view])
  const deferredCount = useMemo(() => filterUploads(deferred, view).length, [deferred, view])

  const selection = useSelection(uploads, shown)
  const { isSelecting, toggle, extendTo } = selection
  const handleSelect = useCallback(
    (upload: Upload, extendsRange: boolean) => (extendsRange ? extendTo(upload) : toggle(upload)),
    [extendTo, toggle],
  )
  // Reset filters and Done are removed by their clicks.
  const { target: selectButton, within } = useKeepFocus<HTMLButtonElement>()
  // The button for new uploads, too. From its place Tab goes to the cards near the viewport.
  const { target: newUploads, within: withinNewUploads } = useKeepFocus<HTMLDivElement>()

  // After a failure the next poll does the same.
  const reloadInBackground = useCallback(() => void reload().catch(() => undefined), [reload])

  const rename =
    renameGuest &&
    (async (from: string, to: string): Promise<void> => {
      const count = await renameGuest(from, to)
      notify({ message: getText('album.renamed', { count, name: to }) })
      reloadInBackground()
    })

  const grid = useRef<GridHandle>(null)
  const handleScroll = useCallback((scrolledPx: number) => setIsScrolledDown(scrolledPx > 0), [])
  const [openId, setOpenId] = useState<string>()
  const open = useCallback(({ _id }: Upload) => setOpenId(_id), [])
  const close = useCallback(() => setOpenId(undefined), [])
  const deleteOne = useCallback((upload: Upload) => onDelete?.([upload]), [onDelete])
  // An upload whose status changes may leave the cards while it is open.
  const openUpload = openId === undefined ? undefined : uploads.find(({ _id }) => _id === openId)

  const renderCard = (upload: Upload, { gridWidth, isTabStop }: GridCell) => {
    const { isNarrow } = getCardSize(gridWidth)
    return isSelecting ? (
      <SelectableCard
        upload={upload}
        isNarrow={isNarrow}
        isSelected={selection.ids.has(upload._id)}
        isTabStop={isTabStop}
        onSelect={handleSelect}
        onLinkFailed={renewLinks}
      />
    ) : (
      <UploadCard
        upload={upload}
        isNarrow={isNarrow}
        hasArrived={arrivedIds.has(upload._id)}
        isDeleting={deletingIds.has(upload._id)}
        onOpen={open}
        refresh={refresh}
        onLinkFailed={renewLinks}
        onDelete={onDelete && deleteOne}
        onVisibility={onVisibility}
        hasButtons={hasCardButtons}
      />
    )
  }

  const showNew = (): void => {
    // By capture time, new uploads are anywhere in the photo grid.
    if (view.order === 'uploaded') window.scrollTo({ top: 0 })
    else showDeferred()
  }

  return (
    <div>
      <div {...within}>
        <GridToolbar
          uploads={uploads}
          shownCount={shown.length}
          view={view}
          onChange={setView}
          onRename={rename}
          download={
            <ArchiveDownload
              createArchive={createArchive}
              total={albumTotal({ uploads, isComplete })}
              onSelect={selection.start}
            />
          }
        >
          <Button
            ref={selectButton}
            variant="outline"
            size="small"
            icon={<ListChecks size={18} aria-hidden />}
            aria-pressed={isSelecting}
            onClick={isSelecting ? selection.stop : selection.start}
          >
            {t('album.grid.select')}
          </Button>
        </GridToolbar>
      </div>
      <div
        ref={newUploads}
        role="status"
        aria-label={t('album.grid.newUploads')}
        tabIndex={-1}
        className={styles.newUploads}
        {...withinNewUploads}
      >
        {deferredCount > 0 && (
          <button type="button" onClick={showNew}>
            {t('album.grid.newCount', { count: deferredCount })}
          </button>
        )}
      </div>
      {shown.length === 0 && (
        <EmptyState title={t('album.grid.noMatch')}>
          <p>{t('album.grid.noMatch.hint')}</p>
        </EmptyState>
      )}
      <VirtualGrid
        ref={grid}
        uploads={shown}
        layOut={layOut}
        isAnimated
        hasTabStop={isSelecting}
        coveredPx={isSelecting ? SELECTION_BAR_HEIGHT_PX : 0}
        onScroll={handleScroll}
      >
        {renderCard}
      </VirtualGrid>
      {openUpload && (
        <LazyViewer
          uploads={shown}
          openId={openUpload._id}
          upload={openUpload}
          toMedium={(upload) => toMedium(t, upload)}
          findPreloadUrl={findPreloadUrl}
          formatPosition={(position) => t('album.viewer.position', { position, total: shown.length })}
          missingText={t('album.viewer.filtered')}
          title={({ originalName }) => <bdi>{originalName}</bdi>}
          actions={(upload) => (
            <>
              <ShareButton uploads={[upload]} isIcon />
              <DownloadButton key={upload._id} variant="ghost" upload={upload} refresh={refresh} />
              {onDelete && (
                <IconButton
                  variant="ghost"
                  label={t('album.file.delete', { name: upload.originalName })}
                  aria-disabled={deletingIds.has(upload._id)}
                  onClick={() => {
                    if (deletingIds.has(upload._id)) return
                    // What asks for confirmation, or offers to undo it, is on the page behind.
                    close()
                    deleteOne(upload)
                  }}
                >
                  <Trash2 size={20} aria-hidden />
                </IconButton>
              )}
            </>
          )}
          caption={(upload) => <UploadDetails upload={upload} />}
          onShow={setOpenId}
          onClose={close}
          onClosed={(index) => grid.current?.focusAt(Math.max(0, Math.min(index, shown.length - 1)))}
          onLinkFailed={renewLinks}
        />
      )}
      {isSelecting && (
        <div className={styles.selection} {...within}>
          <SelectionBar
            selection={selection}
            uploads={uploads}
            isComplete={isComplete}
            shown={shown}
            credit={view.credit}
            createArchive={createArchive}
            onVisibility={onVisibility}
            onDelete={onDelete}
            onUploadNotFound={reloadInBackground}
          />
        </div>
      )}
    </div>
  )
}
