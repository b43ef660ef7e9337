import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { useText } from '../../texts.ts'
import { reportUpload } from './gallery-api.ts'
import styles from './report-dialog.module.css'

interface Props {
  eventId: string
  uploadId: string
  onReported: () => void
  onClose: () => void
}

/** Asks whether to report an upload to the organisers. */
export const ReportDialog = ({ eventId, uploadId, onReported, onClose }: Props) => {
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
      await reportUpload(eventId, uploadId)
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
        // The lightbox around it is a dialog, too.
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
