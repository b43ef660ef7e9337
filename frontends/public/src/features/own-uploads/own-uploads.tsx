import { useCallback, useEffect, useRef, useState } from 'react'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { Button } from '@confetti/ui/button'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { OwnUploadRow } from './own-upload-row.tsx'
import styles from './own-uploads.module.css'
import { useText } from '../../texts.ts'
import { useOwnUploads } from './use-own-uploads.ts'
import { useTakeBack } from './use-take-back.ts'

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
