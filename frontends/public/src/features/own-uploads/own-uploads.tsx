import { useCallback, useEffect, useRef, useState } from 'react'
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import RotateCw from 'lucide-react/icons/rotate-cw'
import type { GuestUpload } from '@confetti/contracts'
import { loadCatalogues } from '@confetti/i18n'
import { Button } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { notifyError } from '@confetti/ui/notify'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { galleryCatalogue } from '../../gallery-texts.ts'
import { useText } from '../../texts.ts'
import { SaveOwn } from '../saving/lazy-saving.tsx'
import { OwnUploadTile } from './own-upload-tile.tsx'
import styles from './own-uploads.module.css'
import { OwnViewer } from './own-viewer.tsx'
import { RenameForm } from './rename-form.tsx'
import { useDeletion } from './use-deletion.ts'
import { useOwnUploads, withUploads } from './use-own-uploads.ts'

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

const loadLink = async () => {
  const [{ OwnLink }] = await Promise.all([import('./own-link.tsx'), loadCatalogues([galleryCatalogue])])
  return OwnLink
}

/** Shows a link by which the guest continues on another device, when asked to. */
const Continue = ({ eventId }: { eventId: string }) => {
  const t = useText()
  const { target, within } = useKeepFocus<HTMLButtonElement>()
  const [isOpen, setIsOpen] = useState(false)
  const [Link, setLink] = useState<Awaited<ReturnType<typeof loadLink>>>()
  const open = async (): Promise<void> => {
    try {
      const loaded = await loadLink()
      setLink(() => loaded)
      setIsOpen(true)
    } catch (error) {
      notifyError(getFailureText(error))
    }
  }
  return (
    <div className={styles.link} {...within}>
      <Button
        ref={target}
        variant="outline"
        size="small"
        icon={<MonitorSmartphone size={18} aria-hidden />}
        aria-expanded={isOpen}
        onClick={() => {
          if (isOpen) setIsOpen(false)
          else void open()
        }}
      >
        {t('own.link')}
      </Button>
      {isOpen && Link && <Link eventId={eventId} onClose={() => setIsOpen(false)} />}
    </div>
  )
}

interface Props {
  eventId: string
  hasGallery: boolean
  /** How many files this visit has sent. */
  sentCount: number
  /** Whether files are being sent, under the name that the guest had when they were chosen. */
  isSending?: boolean
  onRenamed?: (name: string) => void
  /** Whether the page was opened by the guest's own link, on another device. */
  isByLink?: boolean
}

/** How many uploads before the end of the list more of them are loaded, while one is shown in a large size. */
const LOAD_AHEAD = 3

/** What this guest has sent to the event, its state, and buttons that delete it. */
export const OwnUploads = ({
  eventId,
  hasGallery,
  sentCount,
  isSending = false,
  onRenamed,
  isByLink = false,
}: Props) => {
  const t = useText()
  const {
    list: listed,
    hasMore,
    hasFailed,
    showMore,
    retry,
    addRestored,
    renewLinks,
  } = useOwnUploads(eventId, { sentCount })
  const uploads = listed?.uploads
  const deletions = useDeletion({ eventId, listed, onRestored: addRestored, onUncertain: retry })
  const [opened, setOpened] = useState<GuestUpload>()
  const { target: heading, within } = useKeepFocus<HTMLHeadingElement>()
  const list = useRef<HTMLUListElement>(null)
  useScrollToSection(heading, uploads !== undefined)
  const close = useCallback(() => setOpened(undefined), [])

  const deleted = [...deletions.deletions.values()].map(({ upload }) => upload)
  const shown =
    uploads &&
    withUploads(uploads, deleted).filter(
      (upload) => !deletions.deletions.has(upload._id) || deletions.isUndoable(upload),
    )
  if (shown?.length === 0 && !hasMore && !opened) return null
  const [newest] = uploads ?? []
  const withPicture = shown?.filter(({ previewUrl }) => previewUrl) ?? []
  return (
    <section aria-labelledby={SECTION_ID} className={styles.section} {...within}>
      <h2 ref={heading} id={SECTION_ID} tabIndex={-1} className={styles.title}>
        {t('own.title')}
      </h2>
      <p role="status" className={hidden.visuallyHidden}>
        {deletions.announcement}
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
          {!isByLink && <p className={styles.lead}>{t('own.lead')}</p>}
          {newest && (
            <RenameForm
              eventId={eventId}
              name={newest.photoCredit}
              isSending={isSending}
              onRenamed={(name) => {
                onRenamed?.(name)
                retry()
              }}
            />
          )}
          {!isByLink && <Continue eventId={eventId} />}
          {shown.some(({ saveUrl }) => saveUrl) && <SaveOwn eventId={eventId} />}
          <ul ref={list} role="list" className={styles.grid}>
            {shown.map((upload) => (
              <OwnUploadTile
                key={upload._id}
                upload={upload}
                hasGallery={hasGallery}
                deletions={deletions}
                onOpen={setOpened}
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
      {opened && (
        <OwnViewer
          uploads={withPicture}
          isComplete={!hasMore}
          opened={opened}
          hasGallery={hasGallery}
          deletions={deletions}
          onShow={setOpened}
          onIndex={(index) => {
            if (hasMore && index >= withPicture.length - LOAD_AHEAD) showMore()
          }}
          onClose={close}
          onClosed={() =>
            list.current?.querySelector<HTMLElement>(`[data-upload="${opened._id}"] button`)?.focus()
          }
          onLinkFailed={renewLinks}
        />
      )}
    </section>
  )
}
