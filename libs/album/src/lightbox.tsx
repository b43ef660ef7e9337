import { useEffect, useState, type KeyboardEvent } from 'react'
import * as Dialog from '@radix-ui/react-dialog'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import X from 'lucide-react/icons/x'
import type { Upload } from '@confetti/contracts'
import { getDirection, useLocale } from '@confetti/i18n'
import { IconButton } from '@confetti/ui/button'
import { DownloadButton } from './download-button.tsx'
import { formatTime } from './format-time.ts'
import { LargeView, preloadPictures } from './large-view.tsx'
import styles from './lightbox.module.css'
import { useText } from './texts.ts'
import { useSwipe } from './use-swipe.ts'

const usePreloadedPictures = (next: Upload | undefined, previous: Upload | undefined): void => {
  useEffect(() => preloadPictures([next, previous]), [next, previous])
}

interface Props {
  /** The uploads to navigate. */
  uploads: readonly Upload[]
  /** The upload that is shown. A filter may have removed it from `uploads`. */
  upload: Upload
  onShow: (id: string) => void
  onClose: () => void
  /** Called when the lightbox has closed, with the index of the upload shown last. */
  onClosed: (index: number) => void
  refresh: () => Promise<readonly Upload[]>
  onLinkFailed: () => void
}

/** One upload in full size over the page, with navigation by buttons, keys and swipes. */
export const Lightbox = ({ uploads, upload, onShow, onClose, onClosed, refresh, onLinkFailed }: Props) => {
  const t = useText()
  const locale = useLocale()
  const id = upload._id
  const currentIndex = uploads.findIndex(({ _id }) => _id === id)
  const isInList = currentIndex !== -1
  const [index, setIndex] = useState(currentIndex)
  if (isInList && currentIndex !== index) setIndex(currentIndex)
  // Without the upload, the next one has its index.
  const [previous, next] = [uploads[index - 1], uploads[isInList ? index + 1 : index]]
  usePreloadedPictures(next, previous)

  const show = (other: Upload | undefined): void => {
    if (other) onShow(other._id)
  }
  // What comes next is on the other side in languages that are written from right to left.
  const [left, right] = getDirection(locale) === 'rtl' ? [next, previous] : [previous, next]
  const swipe = useSwipe((step) => show(step === 1 ? right : left))
  const keys: Record<string, Upload | undefined> = {
    ArrowRight: right,
    ArrowLeft: left,
    Home: uploads[0],
    End: uploads.at(-1),
  }
  const handleKeyDown = (event: KeyboardEvent): void => {
    // These keys seek in a video.
    if (event.target instanceof HTMLVideoElement || !(event.key in keys)) return
    event.preventDefault()
    show(keys[event.key])
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          // The lightbox is dark in both themes.
          className={`dark ${styles.box}`}
          onKeyDown={handleKeyDown}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            onClosed(index)
          }}
        >
          <header className={styles.top}>
            <p aria-live="polite" className={styles.position}>
              {isInList
                ? t('album.lightbox.position', { position: index + 1, total: uploads.length })
                : t('album.lightbox.filtered')}
            </p>
            <Dialog.Title className={styles.name}>
              <bdi>{upload.originalName}</bdi>
            </Dialog.Title>
            <DownloadButton key={id} variant="ghost" upload={upload} refresh={refresh} />
            <Dialog.Close asChild>
              <IconButton variant="ghost" label={t('common.close')}>
                <X aria-hidden />
              </IconButton>
            </Dialog.Close>
          </header>
          <div className={styles.viewport} {...swipe.handlers}>
            <div
              key={id}
              className={styles.large}
              style={swipe.offsetPx ? { transform: `translateX(${swipe.offsetPx}px)` } : undefined}
            >
              <LargeView upload={upload} onLinkFailed={onLinkFailed} />
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
          <Dialog.Description className={styles.caption}>
            <b>{t('album.file.credit', { guest: upload.photoCredit })}</b>
            <span>{t('album.file.uploadedAt', { time: formatTime(upload.uploadedAt) })}</span>
          </Dialog.Description>
          <IconButton
            variant="ghost"
            label={t('common.next')}
            className={styles.next}
            aria-disabled={!next}
            onClick={() => show(next)}
          >
            <ChevronRight size={28} aria-hidden />
          </IconButton>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
