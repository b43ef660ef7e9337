import { useSyncExternalStore } from 'react'
import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { useText } from '../../texts.ts'
import { getProgress } from './progress.ts'
import type { SendQueue } from './send-queue.ts'
import { getSendQueues } from './send-queues.ts'
import styles from './sending-notice.module.css'
import { SendingStatus } from './sending-status.tsx'
import { formatOutcome, getPauseText, getScreenReaderText } from './texts.ts'
import { useOnline } from './use-online.ts'

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
      <Link
        className={buttonClass({ variant: 'secondary', size: 'small' })}
        to={`/upload?eventId=${encodeURIComponent(eventId)}`}
      >
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
