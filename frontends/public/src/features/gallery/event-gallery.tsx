import { useCallback, useEffect, useRef, useState } from 'react'
import { layOutPictures } from '@confetti/album/grid-layout'
import { VirtualGrid, type GridHandle } from '@confetti/album/virtual-grid'
import type { GuestEvent } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { useText } from '../../texts.ts'
import { GuestMain } from '../guest-page/guest-main.tsx'
import styles from './event-gallery.module.css'
import { GalleryViewer } from './gallery-viewer.tsx'
import { GalleryLoadError, GalleryNotOpenYet } from './gallery-messages.tsx'
import { GallerySkeleton } from './gallery-skeleton.tsx'
import { GalleryTile } from './gallery-tile.tsx'
import { useGallery } from './use-gallery.ts'

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

const UploadLink = ({ event }: { event: GuestEvent }) => {
  const t = useText()
  return (
    <Link
      className={buttonClass({ variant: 'secondary', size: 'small' })}
      to={`/upload?eventId=${encodeURIComponent(event._id)}`}
    >
      {t('gallery.sendPhotos')}
    </Link>
  )
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
  const renewLinks = useCallback(() => void list.refresh({ isForced: true }).catch(() => undefined), [list])
  const showIndex = useCallback((index: number) => list.setRange(index, index), [list])
  const close = useCallback(() => setOpenId(undefined), [])

  // At the top, new photos appear automatically.
  const showsNew = newCount > 0 && !isScrolledDown && openId === undefined
  useEffect(() => {
    if (showsNew) reload()
  }, [showsNew, reload])

  if (status === 'pending') return <GallerySkeleton />
  if (status === 'unavailable') return <GalleryNotOpenYet event={event} />
  if (status === 'error') return <GalleryLoadError error={state.error} onRetry={reload} />
  return (
    <GuestMain className={styles.page} {...within}>
      <header className={styles.top}>
        <h1 ref={heading} tabIndex={-1} className={styles.name}>
          <bdi>{event.name}</bdi>
        </h1>
        {event.uploadsOpen && <UploadLink event={event} />}
      </header>
      <div role="status" className={styles.new}>
        {newCount > 0 && isScrolledDown && (
          <button
            type="button"
            onClick={() => {
              window.scrollTo({ top: 0, behavior: 'instant' })
              reload()
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
