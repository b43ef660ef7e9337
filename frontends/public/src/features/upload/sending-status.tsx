import { useEffect, useRef, useSyncExternalStore } from 'react'
import WifiOff from 'lucide-react/icons/wifi-off'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { ProgressBar } from '@confetti/ui/progress-bar'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { useText } from '../../texts.ts'
import { getSendQueues } from './page-queues.ts'
import {
  formatOutcome,
  getPauseText,
  getProgress,
  getScreenReaderText,
  type Progress,
} from './selected-files.ts'
import type { SendQueue } from './send-queue.ts'
import styles from './sending-status.module.css'
import { getUploadPath } from './use-event.ts'

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Whether the browser reports a network connection. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine)

interface StatusProps {
  progress: Progress
  /** Why sending is paused, if it is. */
  pauseText: string | undefined
}

/** The progress of all files that are being sent. */
const SendingStatus = ({ progress, pauseText }: StatusProps) => {
  const t = useText()
  const { sent, total, percent } = progress
  return (
    <>
      <p className={styles.line}>
        <b>{t('upload.sending', { number: Math.min(sent + 1, total), total })}</b>
        <span className={styles.aside}>{t('upload.keepOpen')}</span>
      </p>
      <ProgressBar label={t('upload.allFiles')} value={percent} size="thick" />
      {pauseText && (
        <p className={styles.pause}>
          <WifiOff size={18} aria-hidden />
          {pauseText}
        </p>
      )}
    </>
  )
}

interface FooterProps {
  progress: Progress
  /** Whether the event takes no more files. */
  isFull: boolean
  /** Why sending is paused, if it is. */
  pauseText: string | undefined
  onRetryAll: () => void
  onFinish: () => void
}

const Result = ({ progress, onRetryAll, onFinish }: Omit<FooterProps, 'pauseText' | 'isFull'>) => {
  const t = useText()
  const { retryable, ready, sent } = progress
  const showRetry = retryable > 1 || (retryable > 0 && sent === 0)
  return (
    <>
      <p>
        <b>{formatOutcome(t, progress)}</b>
      </p>
      <div className={styles.actions}>
        {showRetry && (
          <Button size="large" onClick={onRetryAll}>
            {t(retryable > 1 ? 'upload.retryAll' : 'common.retry')}
          </Button>
        )}
        {/* Not while files wait that would vanish with the list. */}
        {sent > 0 && ready === 0 && (
          <Button size="large" variant={showRetry ? 'outline' : 'primary'} onClick={onFinish}>
            {t('upload.finish')}
          </Button>
        )}
      </div>
    </>
  )
}

/** The footer of the upload form: the upload button, the progress or the outcome. Sticky once files are chosen. */
export const SendFooter = (props: FooterProps) => {
  const t = useText()
  const { progress, isFull, pauseText } = props
  const { busy, ready, total } = progress
  const content = useRef<HTMLDivElement>(null)

  useEffect(() => {
    // The upload button is removed when sending starts, and the focus with it.
    if (busy && document.activeElement === document.body) content.current?.focus({ preventScroll: true })
  }, [busy])

  return (
    <footer className={`${styles.footer} ${ready + total > 0 ? styles.sticky : ''}`}>
      <div ref={content} tabIndex={-1} className={styles.content}>
        {busy ? (
          <SendingStatus progress={progress} pauseText={pauseText} />
        ) : (
          <>
            {isFull && (
              <p role="status" className={styles.full}>
                {t('event.full')} {t('event.closed.more')}
              </p>
            )}
            {total > 0 && <Result {...props} />}
            {(ready > 0 || total === 0) && (
              // Without files, the picker is the next step.
              <Button type="submit" size="large" wide variant={ready > 0 ? 'primary' : 'outline'}>
                {t('upload.submit')}
              </Button>
            )}
          </>
        )}
        <p role="status" className={hidden.visuallyHidden}>
          {getScreenReaderText(t, progress)} {busy && pauseText}
        </p>
      </div>
    </footer>
  )
}

const QueueNotice = ({ eventId, queue }: { eventId: string; queue: SendQueue }) => {
  const t = useText()
  const { files, pauseReason } = useSyncExternalStore(queue.subscribe, queue.getState)
  const pauseText = getPauseText(t, pauseReason, useOnline())
  const progress = getProgress(files)
  const { busy, failed, total } = progress
  if (total === 0) return null
  return (
    <div className={styles.notice}>
      {busy ? (
        <SendingStatus progress={progress} pauseText={pauseText} />
      ) : (
        <p>
          <b>{formatOutcome(t, progress)}</b>
        </p>
      )}
      <Link className={buttonClass({ variant: 'secondary', size: 'small' })} to={getUploadPath(eventId)}>
        {t(busy || failed > 0 ? 'upload.notice.show' : 'upload.finish')}
      </Link>
      <p role="status" className={hidden.visuallyHidden}>
        {getScreenReaderText(t, progress)} {busy && pauseText}
      </p>
    </div>
  )
}

const Notices = ({ queues }: { queues: readonly (readonly [string, SendQueue])[] }) => {
  const t = useText()
  return (
    <aside aria-label={t('upload.notice.label')} className={styles.notices}>
      {queues.map(([eventId, queue]) => (
        <QueueNotice key={eventId} eventId={eventId} queue={queue} />
      ))}
    </aside>
  )
}

/** The progress of files that are being sent while the guest is on a page other than the upload page. */
export const SendingNotice = () => {
  const queues = [...getSendQueues()]
  if (queues.length === 0) return null
  return <Notices queues={queues} />
}
