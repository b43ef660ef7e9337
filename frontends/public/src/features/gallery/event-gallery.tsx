import { memo, useCallback, useEffect, useRef, useState } from 'react'
import ImageIcon from 'lucide-react/icons/image'
import Play from 'lucide-react/icons/play'
import { layOutPictures } from '@confetti/album/grid-layout'
import { Picture } from '@confetti/album/medium'
import { VirtualGrid, type GridHandle } from '@confetti/album/virtual-grid'
import type { GalleryUpload, GuestEvent } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { Skeleton } from '@confetti/ui/skeleton'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { useText } from '../../texts.ts'
import { GuestMain } from '../guest-page/guest-page.tsx'
import styles from './event-gallery.module.css'
import { GalleryLoadError, GalleryNotOpenYet, SendPhotosLink } from './gallery-messages.tsx'
import { GalleryViewer } from './gallery-viewer.tsx'
import { describeUpload, formatDuration, isVideo } from './formats.ts'
import { useGallery } from './use-gallery.ts'

const TILES = 12

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
      <div className={styles.skeleton}>
        {Array.from({ length: TILES }, (_, index) => (
          <Skeleton key={index} height="130px" />
        ))}
      </div>
    </GuestMain>
  )
}

interface TileProps {
  upload: GalleryUpload
  /** Whether it is on the first screen, and so loaded before all else. */
  isFirst: boolean
  onOpen: (id: string) => void
  onLinkFailed: () => void
}

const Tile = ({ upload, isFirst, onOpen, onLinkFailed }: TileProps) => {
  const t = useText()
  const { _id, thumbnailUrl, durationSeconds } = upload
  const duration = isVideo(upload) && formatDuration(durationSeconds ?? 0)
  const label = duration
    ? t('gallery.photoInfo', { description: describeUpload(t, upload), duration })
    : describeUpload(t, upload)
  return (
    <button type="button" data-main className={styles.tile} aria-label={label} onClick={() => onOpen(_id)}>
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
      {duration && (
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
  const { list, state } = useGallery(event._id, openId !== undefined)
  const { uploads, status, newCount } = state
  const grid = useRef<GridHandle>(null)
  const isScrolledDown = useIsScrolledDown()
  // Load more and the button for new photos are removed by their clicks.
  const { target: heading, within } = useKeepFocus<HTMLHeadingElement>()

  const reload = useCallback(() => void list.reload().catch(() => undefined), [list])
  const renewLinks = useCallback(() => void list.renewLinks().catch(() => undefined), [list])
  const showIndex = useCallback((index: number) => list.setRange(index, index), [list])
  const close = useCallback(() => setOpenId(undefined), [])

  // At the top, new photos appear automatically.
  const showsNew = !isScrolledDown && openId === undefined
  useEffect(() => list.setShowsNew(showsNew), [list, showsNew])

  if (status === 'pending') return <GallerySkeleton />
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
      <div role="status" className={styles.new}>
        {newCount > 0 && isScrolledDown && (
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
      {uploads.length === 0 && state.isComplete && (
        <div className={styles.empty}>
          <p>
            <b>{t('gallery.empty')}</b>
          </p>
          {event.uploadsOpen && <p>{t('gallery.empty.hint')}</p>}
        </div>
      )}
      <VirtualGrid ref={grid} uploads={uploads} layOut={layOutPictures} onRange={list.setRange}>
        {(upload, { index }) => (
          <GalleryTile
            upload={upload}
            isFirst={index < FIRST_TILES}
            onOpen={setOpenId}
            onLinkFailed={renewLinks}
          />
        )}
      </VirtualGrid>
      {!state.isComplete && (
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
          isComplete={state.isComplete}
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
