import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Flag from 'lucide-react/icons/flag'
import X from 'lucide-react/icons/x'
import { useCloseOnBack } from '@confetti/album/use-close-on-back'
import { useSwipe } from '@confetti/album/use-swipe'
import type { GalleryUpload, GuestEvent } from '@confetti/contracts'
import { getDirection, useLocale } from '@confetti/i18n'
import { Button, IconButton } from '@confetti/ui/button'
import { useText } from '../../texts.ts'
import styles from './gallery-lightbox.module.css'
import { LargeView } from './large-view.tsx'
import { ReportDialog } from './report-dialog.tsx'
import { describeUpload, formatPosition, formatTime } from './texts.ts'

const usePreloadedPictures = (uploads: readonly (GalleryUpload | undefined)[]): void => {
  const urls = uploads.map((upload) => upload?.previewUrl ?? '').join('\n')
  useEffect(() => {
    for (const src of urls.split('\n')) if (src) new Image().src = src
  }, [urls])
}

interface Props {
  event: Pick<GuestEvent, '_id' | 'timeZone'>
  uploads: readonly GalleryUpload[]
  /** Whether these are all uploads of the gallery. */
  isComplete: boolean
  openId: string
  onShow: (id: string) => void
  onClose: () => void
  onLinkFailed: () => void
  /** Called with the index of the upload that is shown. */
  onIndex: (index: number) => void
}

/** One upload over the whole page, with navigation by buttons, keys and swipes. */
export const GalleryLightbox = ({
  event,
  uploads,
  isComplete,
  openId,
  onShow,
  onClose,
  onLinkFailed,
  onIndex,
}: Props) => {
  const t = useText()
  const locale = useLocale()
  const dialog = useRef<HTMLDialogElement>(null)
  const currentIndex = uploads.findIndex(({ _id }) => _id === openId)
  const [lastIndex, setLastIndex] = useState(currentIndex)
  if (currentIndex !== -1 && currentIndex !== lastIndex) setLastIndex(currentIndex)
  const isRemoved = currentIndex === -1
  const upload = uploads[currentIndex]
  // Without the upload, the next one has its index.
  const [previous, next] = [uploads[lastIndex - 1], uploads[isRemoved ? lastIndex : lastIndex + 1]]
  usePreloadedPictures([next, previous])

  const [isReporting, setIsReporting] = useState(false)
  const [reportedIds, setReportedIds] = useState<ReadonlySet<string>>(new Set())

  useEffect(() => {
    dialog.current?.showModal()
    // The browser would choose the first button, and Enter, pressed once more, would report the photo.
    dialog.current?.focus()
  }, [])
  useCloseOnBack(true, onClose)
  useEffect(() => onIndex(lastIndex), [onIndex, lastIndex])

  const show = (other: GalleryUpload | undefined): void => {
    if (!other) return
    setIsReporting(false)
    onShow(other._id)
  }
  // What comes next is on the other side in languages that are written from right to left.
  const [left, right] = getDirection(locale) === 'rtl' ? [next, previous] : [previous, next]
  const swipe = useSwipe((step) => show(step === 1 ? right : left))
  const keys: Record<string, GalleryUpload | undefined> = {
    ArrowRight: right,
    ArrowLeft: left,
    Home: uploads[0],
    End: uploads.at(-1),
  }
  const handleKeyDown = (event: KeyboardEvent): void => {
    // These keys seek in a video.
    if (isReporting || event.target instanceof HTMLVideoElement || !(event.key in keys)) return
    event.preventDefault()
    show(keys[event.key])
  }

  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      // It is dark in both themes.
      className={`dark ${styles.box}`}
      aria-label={upload ? describeUpload(t, upload) : t('gallery.removed')}
      onKeyDown={handleKeyDown}
      onClose={onClose}
    >
      <header className={styles.top}>
        <p aria-live="polite" className={styles.position}>
          {!isRemoved && formatPosition(t, currentIndex + 1, isComplete ? uploads.length : undefined)}
        </p>
        {upload && (
          <Button
            variant="outline"
            size="small"
            icon={<Flag size={18} aria-hidden />}
            aria-disabled={reportedIds.has(upload._id)}
            onClick={() => setIsReporting(!reportedIds.has(upload._id))}
          >
            {t('gallery.report')}
          </Button>
        )}
        <IconButton variant="ghost" label={t('common.close')} onClick={() => dialog.current?.close()}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div className={styles.viewport} {...swipe.handlers}>
        <div
          key={openId}
          className={styles.large}
          style={swipe.offsetPx ? { transform: `translateX(${swipe.offsetPx}px)` } : undefined}
        >
          {upload ? <LargeView upload={upload} onLinkFailed={onLinkFailed} /> : <p>{t('gallery.removed')}</p>}
        </div>
      </div>
      <IconButton
        variant="ghost"
        label={t('common.previous')}
        className={styles.previous}
        aria-disabled={!previous}
        onClick={() => show(previous)}
      >
        <ChevronLeft size={28} aria-hidden />
      </IconButton>
      <div className={styles.caption}>
        {upload && (
          <>
            <b>
              <bdi>{upload.photoCredit}</bdi>
            </b>
            <span>{formatTime(upload, event.timeZone)}</span>
          </>
        )}
        <p role="status">{upload && reportedIds.has(upload._id) && t('gallery.report.done')}</p>
      </div>
      <IconButton
        variant="ghost"
        label={t('common.next')}
        className={styles.next}
        aria-disabled={!next}
        onClick={() => show(next)}
      >
        <ChevronRight size={28} aria-hidden />
      </IconButton>
      {upload && isReporting && (
        <ReportDialog
          eventId={event._id}
          uploadId={upload._id}
          onReported={() => setReportedIds((before) => new Set(before).add(upload._id))}
          onClose={() => setIsReporting(false)}
        />
      )}
    </dialog>
  )
}
