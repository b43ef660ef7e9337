import { Button } from '@confetti/ui/button'
import { formatFileCount } from '../texts.ts'
import type { UnsentFile } from './unsent-files.ts'
import styles from './unsent-notice.module.css'

interface Props {
  files: readonly UnsentFile[]
  onContinue: () => void
  onDiscard: () => void
}

/** Offers to continue with the files that an earlier visit of the page did not finish sending. */
export const UnsentNotice = ({ files, onContinue, onDiscard }: Props) => {
  const missing = files.filter(({ hasBytes }) => !hasBytes).length
  const canContinue = missing < files.length
  return (
    <section aria-label="Files still to send" className={styles.notice}>
      <p>
        <b>{formatFileCount(files.length)} still to send</b>
      </p>
      {missing > 0 && (
        <p>
          {canContinue
            ? `To send ${missing} of them, choose the same files again.`
            : 'To continue, choose the same files again.'}
        </p>
      )}
      <div className={styles.actions}>
        {canContinue && <Button onClick={onContinue}>Continue sending</Button>}
        <Button variant="outline" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </section>
  )
}
