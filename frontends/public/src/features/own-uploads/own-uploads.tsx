import { useCallback, useEffect, useRef, useState } from 'react'
import Check from 'lucide-react/icons/check'
import FileVideo from 'lucide-react/icons/file-play'
import ImageIcon from 'lucide-react/icons/image'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Undo2 from 'lucide-react/icons/undo-2'
import { Picture } from '@confetti/album/medium'
import type { GuestUpload } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { useText, type TextId } from '../../texts.ts'
import styles from './own-uploads.module.css'
import { useOwnUploads, useTakeBack } from './use-own-uploads.ts'

export type OwnUploadTone = 'good' | 'neutral' | 'bad'

/** What happens to a file, in the guest's words. Without a gallery there is nothing to be ready for. */
export const describeState = (
  { status, visibility }: Pick<GuestUpload, 'status' | 'visibility'>,
  { hasGallery }: { hasGallery: boolean },
): { label: TextId; tone: OwnUploadTone } => {
  if (status === 'failed') return { label: 'own.state.failed', tone: 'bad' }
  if (visibility === 'hidden') return { label: 'own.state.hidden', tone: 'neutral' }
  if (status === 'processing') return { label: 'own.state.processing', tone: 'neutral' }
  if (visibility === 'pending') return { label: 'own.state.pending', tone: 'neutral' }
  return { label: hasGallery ? 'own.state.ready' : 'own.state.sent', tone: 'good' }
}

const Thumbnail = ({ upload, onLinkFailed }: { upload: GuestUpload; onLinkFailed: () => void }) => {
  const Icon = upload.contentType.startsWith('video/') ? FileVideo : ImageIcon
  return (
    <Picture
      src={upload.thumbnailUrl}
      alt=""
      width={64}
      height={64}
      placeholder={<Icon size={24} strokeWidth={1.5} aria-hidden className={styles.icon} />}
      onLinkFailed={onLinkFailed}
    />
  )
}

interface RowProps {
  upload: GuestUpload
  hasGallery: boolean
  /** Whether it is taken back, which can be undone. */
  isTakenBack: boolean
  onTakeBack: () => void
  onUndo: () => void
  onLinkFailed: () => void
}

/** A file that the guest has sent, with its state and the button that takes it back. */
export const OwnUploadRow = ({
  upload,
  hasGallery,
  isTakenBack,
  onTakeBack,
  onUndo,
  onLinkFailed,
}: RowProps) => {
  const t = useText()
  const { originalName: name } = upload
  const { label, tone } = describeState(upload, { hasGallery })
  return (
    <li className={`${styles.row} ${isTakenBack ? styles.takenBack : ''}`}>
      <span className={styles.thumbnail}>
        <Thumbnail upload={upload} onLinkFailed={onLinkFailed} />
      </span>
      <div className={styles.details}>
        <b className={styles.name} title={name}>
          <bdi>{name}</bdi>
        </b>
        {isTakenBack ? (
          <span className={styles.note}>{t('own.takenBack')}</span>
        ) : (
          <span className={`${styles.state} ${styles[tone]}`}>
            {tone === 'good' && <Check size={16} aria-hidden />}
            {t(label)}
          </span>
        )}
        {upload.isDamaged && !isTakenBack && <span className={styles.note}>{t('own.damaged')}</span>}
      </div>
      {/* One button, which keeps the focus. */}
      <Button
        variant={isTakenBack ? 'secondary' : 'outline'}
        size="small"
        icon={isTakenBack && <Undo2 size={18} aria-hidden />}
        aria-label={t(isTakenBack ? 'own.undo.label' : 'own.takeBack.label', { name })}
        onClick={isTakenBack ? onUndo : onTakeBack}
      >
        {t(isTakenBack ? 'common.undo' : 'own.takeBack')}
      </Button>
    </li>
  )
}

/** The hash of the upload page's address that leads to the section. */
const SECTION_ID = 'your-photos'

/** Scrolls to the section when the page was opened by a link to it. */
const useScrollToSection = (heading: { readonly current: HTMLElement | null }, isLoaded: boolean): void => {
  const isDone = useRef(false)
  useEffect(() => {
    if (!isLoaded || isDone.current || location.hash !== `#${SECTION_ID}`) return
    isDone.current = true
    heading.current?.scrollIntoView()
    heading.current?.focus({ preventScroll: true })
  }, [heading, isLoaded])
}

interface Props {
  eventId: string
  hasGallery: boolean
  /** How many files this visit has sent. */
  sentCount: number
}

/** What this guest has sent to the event, its state, and buttons that take it back. */
export const OwnUploads = ({ eventId, hasGallery, sentCount }: Props) => {
  const t = useText()
  const { uploads, hasMore, hasFailed, showMore, retry, renewLinks } = useOwnUploads(eventId, sentCount)
  const getName = useCallback(
    (id: string) => uploads?.find(({ _id }) => _id === id)?.originalName ?? '',
    [uploads],
  )
  const { waitingIds, removedIds, takeBack, undo } = useTakeBack(getName)
  const [announcement, setAnnouncement] = useState('')
  const { target: heading, within } = useKeepFocus<HTMLHeadingElement>()
  useScrollToSection(heading, uploads !== undefined)

  const shown = uploads?.filter(({ _id }) => !removedIds.has(_id))
  if (shown?.length === 0 && !hasMore) return null
  return (
    <section aria-labelledby={SECTION_ID} className={styles.section} {...within}>
      <h2 ref={heading} id={SECTION_ID} tabIndex={-1} className={styles.title}>
        {t('own.title')}
      </h2>
      <p role="status" className={hidden.visuallyHidden}>
        {announcement}
      </p>
      {!shown && hasFailed && (
        <div className={styles.failed}>
          <p>{t('own.loadFailed')}</p>
          <Button variant="outline" size="small" icon={<RotateCw size={16} aria-hidden />} onClick={retry}>
            {t('common.retry')}
          </Button>
        </div>
      )}
      {!shown && !hasFailed && <p role="status">{t('own.loading')}</p>}
      {shown && (
        <>
          <p className={styles.lead}>{t('own.lead')}</p>
          <ul role="list">
            {shown.map((upload) => (
              <OwnUploadRow
                key={upload._id}
                upload={upload}
                hasGallery={hasGallery}
                isTakenBack={waitingIds.has(upload._id)}
                onTakeBack={() => {
                  takeBack(upload._id)
                  setAnnouncement(t('own.takenBack.announce', { name: upload.originalName }))
                }}
                onUndo={() => {
                  undo(upload._id)
                  setAnnouncement(t('own.restored', { name: upload.originalName }))
                }}
                onLinkFailed={renewLinks}
              />
            ))}
          </ul>
        </>
      )}
      {hasMore && (
        <Button variant="outline" wide onClick={showMore}>
          {t('common.showMore')}
        </Button>
      )}
    </section>
  )
}
