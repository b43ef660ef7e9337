import { lazy, memo, Suspense, useCallback, useEffect, useRef, useState, type ComponentType } from 'react'
import ImageIcon from 'lucide-react/icons/image'
import Play from 'lucide-react/icons/play'
import Undo2 from 'lucide-react/icons/undo-2'
import { layOutPictures } from '@confetti/album/grid-layout'
import { Picture } from '@confetti/album/medium'
import { VirtualGrid, type GridHandle } from '@confetti/album/virtual-grid'
import type { GalleryUpload, GuestEvent } from '@confetti/contracts'
import { loadCatalogues } from '@confetti/i18n'
import { Button } from '@confetti/ui/button'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { Skeleton } from '@confetti/ui/skeleton'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { galleryCatalogue } from '../../gallery-texts.ts'
import { useText } from '../../texts.ts'
import { GuestMain } from '../guest-page/guest-page.tsx'
import { SaveBar } from '../saving/lazy-saving.tsx'
import styles from './event-gallery.module.css'
import type { GalleryFilter, GalleryFilterProps } from './gallery-filter.tsx'
import { GalleryLoadError, GalleryNotOpenYet, SendPhotosLink } from './gallery-messages.tsx'
import { GalleryViewer } from './gallery-viewer.tsx'
import { describeUpload, formatDuration, isVideo } from './formats.ts'
import { useGallery } from './use-gallery.ts'
import { useOwnInGallery } from './use-own-in-gallery.ts'

const TILES = 12

const SkeletonTiles = () => (
  <div className={styles.skeleton}>
    {Array.from({ length: TILES }, (_, index) => (
      <Skeleton key={index} height="130px" />
    ))}
  </div>
)

/** Nothing, if its code or texts cannot be loaded: the photos can be seen without it. */
const loadFilter = async (): Promise<{ default: ComponentType<GalleryFilterProps> }> => {
  const load = Promise.all([import('./gallery-filter.tsx'), loadCatalogues([galleryCatalogue])])
  return load.then(
    ([{ GalleryFilterBar }]) => ({ default: GalleryFilterBar }),
    () => ({ default: () => null }),
  )
}
/** Loaded after the photos, which it does not keep waiting. */
const LazyFilter = lazy(loadFilter)

/** The gallery while it is loading. */
export const GallerySkeleton = () => {
  const t = useText()
  return (
    <GuestMain className={styles.page} aria-busy="true">
      <div className={styles.top}>
        <h1 className={styles.name}>
          <span className={hidden.visuallyHidden}>{t('gallery.loading')}</span>
          <Skeleton width="220px" height="1.15em" />
        </h1>
      </div>
      <div className={styles.filter} />
      <SkeletonTiles />
    </GuestMain>
  )
}

interface TileProps {
  upload: GalleryUpload
  /** Whether it is on the first screen, and so loaded before all else. */
  isFirst: boolean
  /** Why it is faded: it was deleted, which can be undone. */
  deletedText: string | undefined
  /** Whether it is chosen; undefined if the guest does not choose. */
  isChosen: boolean | undefined
  onOpen: (id: string) => void
  onLinkFailed: () => void
}

const Tile = ({ upload, isFirst, deletedText, isChosen, onOpen, onLinkFailed }: TileProps) => {
  const t = useText()
  const { _id, thumbnailUrl, durationSeconds } = upload
  const duration = isVideo(upload) && formatDuration(durationSeconds ?? 0)
  // Its copy is still being made.
  const isUnsaveable = isChosen !== undefined && upload.saveUrl === undefined
  const label = duration
    ? t('gallery.photoInfo', { description: describeUpload(t, upload), duration })
    : describeUpload(t, upload)
  return (
    <button
      type="button"
      data-main
      className={`${styles.tile} ${deletedText || isUnsaveable ? styles.faded : ''} ${isChosen ? styles.chosen : ''}`}
      aria-pressed={isChosen}
      aria-disabled={isUnsaveable}
      aria-label={deletedText ?? label}
      onClick={() => {
        if (!isUnsaveable) onOpen(_id)
      }}
    >
      <Picture
        src={thumbnailUrl}
        alt=""
        // The grid has only those near the screen.
        loading="eager"
        fetchPriority={isFirst ? 'high' : 'auto'}
        className={styles.picture}
        placeholder={<ImageIcon size={28} strokeWidth={1.5} aria-hidden className={styles.icon} />}
        onLinkFailed={onLinkFailed}
      />
      {deletedText && <Undo2 size={28} aria-hidden className={styles.undo} />}
      {duration && !deletedText && (
        <span className={styles.video}>
          <Play size={14} fill="currentColor" aria-hidden />
          {duration}
        </span>
      )}
    </button>
  )
}

/** One upload in the grid. Memoized: scrolling renders only the tiles that come into view. */
const GalleryTile = memo(Tile)

/** About one screen of a phone. */
const FIRST_TILES = 8

/** Whether the page is scrolled down. */
const useIsScrolledDown = (): boolean => {
  const [isScrolledDown, setIsScrolledDown] = useState(false)
  useEffect(() => {
    const measure = (): void => setIsScrolledDown(window.scrollY > 200)
    measure()
    window.addEventListener('scroll', measure, { passive: true })
    return () => window.removeEventListener('scroll', measure)
  }, [])
  return isScrolledDown
}

/** The photos of an event, as guests see them. */
export const EventGallery = ({ event }: { event: GuestEvent }) => {
  const t = useText()
  const [openId, setOpenId] = useState<string>()
  const [filter, setFilter] = useState<GalleryFilter>()
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>()
  const isMine = filter === 'mine'
  const credit = isMine ? undefined : filter?.credit
  const { list, state } = useGallery(event._id, credit, openId !== undefined)
  const { status, newCount } = state
  const own = useOwnInGallery(event._id, list, { isFilter: isMine, listed: state.uploads })
  const { uploads, findOwn, deletions } = own
  const isPending = isMine ? own.isPending : status === 'pending'
  const isComplete = isMine ? !own.isPending : state.isComplete
  const isEmpty = uploads.length === 0 && isComplete
  // The last photo of this person is gone.
  if (isEmpty && filter !== undefined && openId === undefined) setFilter(undefined)
  const grid = useRef<GridHandle>(null)
  const isScrolledDown = useIsScrolledDown()
  // Load more and the button for new photos are removed by their clicks.
  const { target: heading, within } = useKeepFocus<HTMLHeadingElement>()

  const reload = useCallback(() => void list.reload().catch(() => undefined), [list])
  const { renewLinks: renewOwnLinks } = own
  const renewLinks = useCallback(() => {
    if (isMine) renewOwnLinks()
    else void list.renewLinks().catch(() => undefined)
  }, [isMine, renewOwnLinks, list])
  const showIndex = useCallback((index: number) => list.setRange(index, index), [list])
  const close = useCallback(() => setOpenId(undefined), [])
  const choose = useCallback((id: string) => {
    setChosenIds((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  }, [])
  const changeFilter = (next: GalleryFilter): void => {
    setFilter(next)
    window.scrollTo({ top: 0, behavior: 'instant' })
  }

  // At the top, new photos appear automatically.
  const showsNew = !isScrolledDown && openId === undefined
  useEffect(() => list.setShowsNew(showsNew), [list, showsNew])

  if (isPending && filter === undefined) return <GallerySkeleton />
  if (status === 'unavailable') return <GalleryNotOpenYet event={event} />
  if (status === 'error') return <GalleryLoadError error={state.error} onRetry={reload} />
  return (
    <GuestMain className={styles.page} {...within}>
      <header className={styles.top}>
        <h1 ref={heading} tabIndex={-1} className={styles.name}>
          <bdi>{event.name}</bdi>
        </h1>
        {event.uploadsOpen && <SendPhotosLink event={event} variant="secondary" size="small" />}
      </header>
      <div className={styles.filter}>
        <Suspense>
          <LazyFilter
            eventId={event._id}
            total={state.total}
            filter={filter}
            hasOwn={own.hasOwn}
            onFilter={changeFilter}
          />
        </Suspense>
      </div>
      {event.save === 'copy' && uploads.length > 0 && (
        <div className={`${styles.save} ${chosenIds ? styles.choosing : ''}`}>
          <SaveBar
            eventId={event._id}
            hasOwn={own.hasOwn}
            isMine={isMine}
            chosen={chosenIds && uploads.filter(({ _id, saveUrl }) => saveUrl && chosenIds.has(_id))}
            onChoose={(isChoosing) => setChosenIds(isChoosing ? new Set() : undefined)}
          />
        </div>
      )}
      <div role="status" className={styles.new}>
        {newCount > 0 && isScrolledDown && !isMine && (
          <button
            type="button"
            onClick={() => {
              window.scrollTo({ top: 0, behavior: 'instant' })
              list.showNew()
            }}
          >
            {t('gallery.new', { count: newCount })}
          </button>
        )}
      </div>
      {isEmpty && (
        <div className={styles.empty}>
          <p>
            <b>{t('gallery.empty')}</b>
          </p>
          {event.uploadsOpen && <p>{t('gallery.empty.hint')}</p>}
        </div>
      )}
      <VirtualGrid ref={grid} uploads={uploads} layOut={layOutPictures} headerPx={0} onRange={list.setRange}>
        {(upload, { index }) => (
          <GalleryTile
            upload={upload}
            isFirst={index < FIRST_TILES}
            deletedText={
              deletions.isUndoable(upload)
                ? t('own.deleted.announce', { name: findOwn(upload)?.originalName ?? '' })
                : undefined
            }
            isChosen={chosenIds?.has(upload._id)}
            onOpen={chosenIds ? choose : setOpenId}
            onLinkFailed={renewLinks}
          />
        )}
      </VirtualGrid>
      {isPending && <SkeletonTiles />}
      {!isPending && !isComplete && (
        <div className={styles.more}>
          {state.error === undefined ? (
            <p role="status">{t('gallery.loadingMore')}</p>
          ) : (
            <>
              <p role="alert">{t('gallery.moreFailed')}</p>
              <Button variant="outline" size="small" onClick={list.retryNext}>
                {t('common.retry')}
              </Button>
            </>
          )}
        </div>
      )}
      {openId !== undefined && (
        <GalleryViewer
          event={event}
          uploads={uploads}
          isComplete={isComplete}
          findOwn={findOwn}
          deletions={deletions}
          openId={openId}
          onShow={setOpenId}
          onClose={close}
          onClosed={(index) => grid.current?.focusAt(Math.max(0, Math.min(index, uploads.length - 1)))}
          onLinkFailed={renewLinks}
          onIndex={showIndex}
        />
      )}
    </GuestMain>
  )
}
