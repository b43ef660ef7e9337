import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import X from 'lucide-react/icons/x'
import { getDirection, useLocale } from '@confetti/i18n'
import { IconButton } from '@confetti/ui/button'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { useText } from '@confetti/ui/texts'
import { Toaster } from '@confetti/ui/toaster'
import { LargeView } from './large-view.tsx'
import { preloadPictures, type Medium } from './medium.tsx'
import styles from './viewer.module.css'

const usePreloadedPictures = (urls: readonly (string | undefined)[]): void => {
  const list = urls.join('\n')
  useEffect(() => preloadPictures(list.split('\n')), [list])
}

export interface ViewerProps<T extends { _id: string }> {
  /** The uploads to navigate. */
  uploads: readonly T[]
  openId: string
  /** The upload with this id; undefined if it was removed. A filter may have removed it from `uploads`. */
  upload: T | undefined
  toMedium: (upload: T) => Medium
  /** The picture that is loaded before its upload is shown. */
  findPreloadUrl: (upload: T) => string | undefined
  formatPosition: (position: number) => string
  /** Why the upload is not in `uploads`. */
  missingText: string
  title?: (upload: T) => ReactNode
  actions: (upload: T) => ReactNode
  caption: (upload: T) => ReactNode
  /** Dialogs over the viewer. */
  children?: ReactNode
  /** Must be the same function in each render, like `onIndex`. */
  onClose: () => void
  onShow: (id: string) => void
  /** Called with the index of the upload that is shown. */
  onIndex?: (index: number) => void
  /** Called when the viewer has closed, with the index of the upload shown last. */
  onClosed?: (index: number) => void
  onLinkFailed: () => void
}

/** One upload over the whole page, with navigation by buttons, keys and swipes. */
export const Viewer = <T extends { _id: string }>({
  uploads,
  openId,
  upload,
  toMedium,
  findPreloadUrl,
  formatPosition,
  missingText,
  title,
  actions,
  caption,
  children,
  onClose,
  onShow,
  onIndex,
  onClosed,
  onLinkFailed,
}: ViewerProps<T>) => {
  const t = useText()
  const id = useId()
  const isRightToLeft = getDirection(useLocale()) === 'rtl'
  // The button that has the focus goes with its upload. Without the focus, keys would go to the page behind.
  const { target: dialog, within } = useKeepFocus<HTMLDialogElement>()
  const currentIndex = uploads.findIndex(({ _id }) => _id === openId)
  const isInList = currentIndex !== -1
  const [index, setIndex] = useState(currentIndex)
  if (isInList && currentIndex !== index) setIndex(currentIndex)
  // Without the upload, the next one has its index.
  const [previous, next] = [uploads[index - 1], uploads[isInList ? index + 1 : index]]
  usePreloadedPictures([next, previous].map((other) => other && findPreloadUrl(other)))

  const closed = useRef<() => void>(undefined)
  useEffect(() => {
    closed.current = () => onClosed?.(index)
  })
  useEffect(() => onIndex?.(index), [onIndex, index])
  useEffect(() => {
    dialog.current?.showModal()
    // The browser would choose the first button, and Enter, pressed once more, would report or download the photo.
    dialog.current?.focus()
    return () => closed.current?.()
  }, [dialog])

  const show = (other: T | undefined): void => {
    if (other) onShow(other._id)
  }
  // What comes next is on the other side in languages that are written from right to left.
  const [left, right] = isRightToLeft ? [next, previous] : [previous, next]
  const keys: Record<string, T | undefined> = {
    ArrowRight: right,
    ArrowLeft: left,
    Home: uploads[0],
    End: uploads.at(-1),
  }
  const handleKeyDown = (event: KeyboardEvent): void => {
    const { key, target } = event
    const isInOtherDialog = target instanceof Element && target.closest('dialog') !== dialog.current
    // These keys seek in a video.
    if (isInOtherDialog || target instanceof HTMLVideoElement || !(key in keys)) return
    event.preventDefault()
    show(keys[key])
  }

  const medium = upload && toMedium(upload)
  const position = isInList ? formatPosition(index + 1) : upload && missingText
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      // It is dark in both themes.
      className={`dark ${styles.box} ${styles.viewer}`}
      aria-label={medium?.label ?? missingText}
      aria-labelledby={title && `${id}-title`}
      aria-describedby={`${id}-caption`}
      {...within}
      onKeyDown={handleKeyDown}
      onClose={onClose}
    >
      <header className={styles.top}>
        <p aria-live="polite" className={`${styles.position} ${title ? '' : styles.wide}`}>
          {position}
        </p>
        {title && (
          <h2 id={`${id}-title`} className={styles.title}>
            {upload && title(upload)}
          </h2>
        )}
        {upload && actions(upload)}
        <IconButton variant="ghost" label={t('common.close')} onClick={() => dialog.current?.close()}>
          <X aria-hidden />
        </IconButton>
      </header>
      <LargeView
        key={openId}
        medium={medium}
        onSwipe={(step) => show(step === 1 ? right : left)}
        onLinkFailed={onLinkFailed}
        className={styles.viewport}
      >
        {() => !medium && <p className={styles.missing}>{missingText}</p>}
      </LargeView>
      <IconButton
        variant="ghost"
        label={t('common.previous')}
        className={styles.previous}
        aria-disabled={!previous}
        onClick={() => show(previous)}
      >
        <ChevronLeft size={28} aria-hidden />
      </IconButton>
      <div id={`${id}-caption`} className={styles.caption}>
        {upload && caption(upload)}
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
      {children}
      {/* The notices of the page are behind a modal dialog. */}
      <Toaster />
    </dialog>
  )
}
