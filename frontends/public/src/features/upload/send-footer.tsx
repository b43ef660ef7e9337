import { useEffect, useRef } from 'react'
import { Button } from '@confetti/ui/button'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { useText } from '../../texts.ts'
import type { Progress } from './progress.ts'
import styles from './send-footer.module.css'
import { SendingStatus } from './sending-status.tsx'
import { formatOutcome, getScreenReaderText } from './texts.ts'

interface Props {
  progress: Progress
  /** Why sending is paused, if it is. */
  pauseText: string | undefined
  onRetryAll: () => void
  onFinish: () => void
}

const Outcome = ({ progress, onRetryAll, onFinish }: Omit<Props, 'pauseText'>) => {
  const t = useText()
  const { failed, ready, sent } = progress
  const showRetry = failed > 1 || (failed > 0 && sent === 0)
  return (
    <>
      <p>
        <b>{formatOutcome(t, progress)}</b>
      </p>
      <div className={styles.actions}>
        {showRetry && (
          <Button size="large" onClick={onRetryAll}>
            {t(failed > 1 ? 'upload.retryAll' : 'common.retry')}
          </Button>
        )}
        {sent > 0 && (
          <Button size="large" variant={showRetry || ready > 0 ? 'outline' : 'primary'} onClick={onFinish}>
            {t('upload.finish')}
          </Button>
        )}
      </div>
    </>
  )
}

/** The sticky footer of the upload form: the upload button, the progress or the outcome. */
export const SendFooter = (props: Props) => {
  const t = useText()
  const { progress, pauseText } = props
  const { busy, ready, total } = progress
  const content = useRef<HTMLDivElement>(null)

  useEffect(() => {
    // The upload button is removed when sending starts, and the focus with it.
    if (busy && document.activeElement === document.body) content.current?.focus({ preventScroll: true })
  }, [busy])

  return (
    <footer className={styles.footer}>
      <div ref={content} tabIndex={-1} className={styles.content}>
        {busy ? (
          <SendingStatus progress={progress} pauseText={pauseText} />
        ) : (
          <>
            {total > 0 && <Outcome {...props} />}
            {(ready > 0 || total === 0) && (
              <Button type="submit" size="large" wide>
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
