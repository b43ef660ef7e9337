import { useEffect, useId, useRef, useState } from 'react'
import Flag from 'lucide-react/icons/flag'
import { LazyViewer } from '@confetti/album/lazy-viewer'
import type { GalleryUpload, GuestEvent } from '@confetti/contracts'
import { api } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { useText } from '../../texts.ts'
import { deletedMedium } from '../own-uploads/deleted-medium.tsx'
import { DeletionButton } from '../own-uploads/deletion-button.tsx'
import { SaveButton } from '../saving/lazy-saving.tsx'
import styles from './gallery-viewer.module.css'
import { describeUpload, formatPosition, formatTime, toMedium } from './formats.ts'
import type { OwnInGallery } from './use-own-in-gallery.ts'

interface ReportProps {
  eventId: string
  uploadId: string
  onReported: () => void
  onClose: () => void
}

/** Asks whether to report an upload to the organisers. */
const ReportDialog = ({ eventId, uploadId, onReported, onClose }: ReportProps) => {
  const t = useText()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  useEffect(() => dialog.current?.showModal(), [])

  const report = async (): Promise<void> => {
    if (isBusy) return
    setIsBusy(true)
    setError(undefined)
    try {
      await api().post('/api/events/{eventId}/gallery/{uploadId}/reports', {
        params: { eventId, uploadId },
        asGuest: true,
        quiet: true,
      })
      onReported()
      dialog.current?.close()
    } catch (failure) {
      setError(failure)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={(event) => {
        // The viewer around it is a dialog, too.
        event.stopPropagation()
        onClose()
      }}
    >
      <h2 id={`${id}-title`}>{t('gallery.report.title')}</h2>
      <p id={`${id}-text`} className={styles.text}>
        {t('gallery.report.text')}
      </p>
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {getFailureText(error)}
        </p>
      )}
      <div className={styles.actions}>
        <Button aria-disabled={isBusy} onClick={() => void report()}>
          {t(isBusy ? 'gallery.report.busy' : 'gallery.report.confirm')}
        </Button>
        <Button variant="outline" onClick={() => dialog.current?.close()}>
          {t('common.cancel')}
        </Button>
      </div>
    </dialog>
  )
}

interface Props extends Pick<OwnInGallery, 'findOwn' | 'deletions'> {
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
  onClosed: (index: number) => void
}

/** An upload of the gallery in the viewer, which guests can report, or delete if it is their own. */
export const GalleryViewer = ({
  event,
  uploads,
  isComplete,
  findOwn,
  deletions,
  openId,
  onShow,
  ...events
}: Props) => {
  const t = useText()
  const [isReporting, setIsReporting] = useState(false)
  const [reportedIds, setReportedIds] = useState<ReadonlySet<string>>(new Set())
  const openUpload = uploads.find(({ _id }) => _id === openId)
  const isReported = reportedIds.has(openId)
  const total = isComplete ? uploads.length : undefined

  return (
    <LazyViewer
      uploads={uploads}
      openId={openId}
      upload={openUpload}
      toMedium={(upload) => {
        const label = describeUpload(t, upload)
        return deletions.isUndoable(upload) ? deletedMedium(label) : toMedium(t, upload, label)
      }}
      findPreloadUrl={({ previewUrl }) => previewUrl}
      formatPosition={(position) => formatPosition(t, position, total)}
      missingText={t('gallery.removed')}
      actions={(upload) => {
        const own = findOwn(upload)
        const save = <SaveButton upload={upload} onLinkFailed={events.onLinkFailed} />
        if (own)
          return (
            <>
              {!deletions.isUndoable(upload) && save}
              <DeletionButton upload={own} deletions={deletions} />
            </>
          )
        return (
          <>
            {save}
            <Button
              variant="outline"
              size="small"
              icon={<Flag size={18} aria-hidden />}
              aria-disabled={isReported}
              onClick={() => setIsReporting(!isReported)}
            >
              {t('gallery.report')}
            </Button>
          </>
        )
      }}
      caption={(upload) => (
        <>
          <b>
            <bdi>{upload.photoCredit}</bdi>
          </b>
          <span>{formatTime(t, upload, event.timeZone)}</span>
          {upload.isDamaged && <span>{t('gallery.damaged')}</span>}
          {deletions.isUndoable(upload) && <span>{t('own.deleted')}</span>}
          <p role="status">{isReported && t('gallery.report.done')}</p>
          <p role="status" className={hidden.visuallyHidden}>
            {deletions.announcement}
          </p>
        </>
      )}
      onShow={(id) => {
        setIsReporting(false)
        onShow(id)
      }}
      {...events}
    >
      {openUpload && isReporting && (
        <ReportDialog
          eventId={event._id}
          uploadId={openId}
          onReported={() => setReportedIds((before) => new Set(before).add(openId))}
          onClose={() => setIsReporting(false)}
        />
      )}
    </LazyViewer>
  )
}
