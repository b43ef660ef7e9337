import { useEffect, useRef } from 'react'
import WifiOff from 'lucide-react/icons/wifi-off'
import { Button } from '@confetti/ui/button'
import { ProgressBar } from '@confetti/ui/progress-bar'
import type { Progress } from './progress.ts'
import hidden from '@confetti/ui/hidden.module.css'
import styles from './send-footer.module.css'
import { outcomeText, spokenProgress } from './words.ts'

interface Props {
  progress: Progress
  /** Why nothing moves, if nothing does. */
  notice: string | undefined
  onRetryAll: () => void
  onFinish: () => void
}

const Under = ({ progress, notice }: Pick<Props, 'progress' | 'notice'>) => (
  <>
    <p className={styles.line}>
      <b>
        Sending {Math.min(progress.sent + 1, progress.total)} of {progress.total}
      </b>
      <span className={styles.aside}>keep this page open</span>
    </p>
    <ProgressBar label="All files" value={progress.percent} size="thick" />
    {notice && (
      <p className={styles.notice}>
        <WifiOff size={18} aria-hidden />
        {notice}
      </p>
    )}
  </>
)

const After = ({ progress, onRetryAll, onFinish }: Omit<Props, 'notice'>) => {
  const { failed, ready, sent } = progress
  const again = failed > 1 || (failed > 0 && sent === 0)
  return (
    <>
      <p className={styles.line}>
        <b>{outcomeText(progress)}</b>
      </p>
      <div className={styles.actions}>
        {again && (
          <Button size="large" onClick={onRetryAll}>
            {failed > 1 ? 'Retry all' : 'Retry'}
          </Button>
        )}
        {sent > 0 && (
          <Button size="large" look={again || ready > 0 ? 'line' : 'primary'} onClick={onFinish}>
            Finish
          </Button>
        )}
      </div>
    </>
  )
}

/** What there is to do, or how far it is; always in sight. */
export const SendFooter = (props: Props) => {
  const { progress, notice } = props
  const { busy, ready, total } = progress
  const inside = useRef<HTMLDivElement>(null)

  useEffect(() => {
    // The button that began it is gone, and the focus with it.
    if (busy && document.activeElement === document.body) inside.current?.focus({ preventScroll: true })
  }, [busy])

  return (
    <footer className={styles.footer}>
      <div ref={inside} tabIndex={-1} className={styles.inside}>
        {busy ? (
          <Under {...props} />
        ) : (
          <>
            {total > 0 && <After {...props} />}
            {(ready > 0 || total === 0) && (
              <Button type="submit" size="large" wide>
                Upload
              </Button>
            )}
          </>
        )}
        <p role="status" className={hidden.heard}>
          {spokenProgress(progress)} {busy && notice}
        </p>
      </div>
    </footer>
  )
}
