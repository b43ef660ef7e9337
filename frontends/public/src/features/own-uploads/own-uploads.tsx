import { useEffect, useRef, useState } from 'react'
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
import { useDeletion } from './use-deletion.ts'
import { useOwnUploads, withUploads } from './use-own-uploads.ts'

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
  /** Whether it is deleted, which can be undone. */
  isDeleted: boolean
  onDelete: () => void
  onUndo: () => Promise<void>
  onLinkFailed: () => void
}

/** A file that the guest has sent, with its state and the button that deletes it. */
export const OwnUploadRow = ({ upload, hasGallery, isDeleted, onDelete, onUndo, onLinkFailed }: RowProps) => {
  const t = useText()
  const { originalName: name } = upload
  const { label, tone } = describeState(upload, { hasGallery })
  return (
    <li className={`${styles.row} ${isDeleted ? styles.deleted : ''}`}>
      <span className={styles.thumbnail}>
        <Thumbnail upload={upload} onLinkFailed={onLinkFailed} />
      </span>
      <div className={styles.details}>
        <b className={styles.name} title={name}>
          <bdi>{name}</bdi>
        </b>
        {isDeleted ? (
          <span className={styles.note}>{t('own.deleted')}</span>
        ) : (
          <span className={`${styles.state} ${styles[tone]}`}>
            {tone === 'good' && <Check size={16} aria-hidden />}
            {t(label)}
          </span>
        )}
        {upload.isDamaged && !isDeleted && <span className={styles.note}>{t('own.damaged')}</span>}
      </div>
      {/* One button, which keeps the focus. */}
      <Button
        variant={isDeleted ? 'secondary' : 'outline'}
        size="small"
        icon={isDeleted && <Undo2 size={18} aria-hidden />}
        aria-label={t(isDeleted ? 'own.undo.label' : 'own.delete.label', { name })}
        onClick={isDeleted ? () => void onUndo() : onDelete}
      >
        {t(isDeleted ? 'common.undo' : 'own.delete')}
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

/** What this guest has sent to the event, its state, and buttons that delete it. */
export const OwnUploads = ({ eventId, hasGallery, sentCount }: Props) => {
  const t = useText()
  const { uploads, hasMore, hasFailed, showMore, retry, addRestored, renewLinks } = useOwnUploads(
    eventId,
    sentCount,
  )
  const { deletions, remove, undo } = useDeletion({ onRestored: addRestored, onUncertain: retry })
  const [announcement, setAnnouncement] = useState('')
  const { target: heading, within } = useKeepFocus<HTMLHeadingElement>()
  useScrollToSection(heading, uploads !== undefined)

  const isUndoable = ({ _id }: GuestUpload): boolean => deletions.get(_id)?.isUndoable === true
  const deleted = [...deletions.values()].map(({ upload }) => upload)
  const shown =
    uploads &&
    withUploads(uploads, deleted).filter((upload) => !deletions.has(upload._id) || isUndoable(upload))
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
                isDeleted={isUndoable(upload)}
                onDelete={() => {
                  remove(upload)
                  setAnnouncement(t('own.deleted.announce', { name: upload.originalName }))
                }}
                onUndo={async () => {
                  if (await undo(upload)) setAnnouncement(t('own.restored', { name: upload.originalName }))
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
