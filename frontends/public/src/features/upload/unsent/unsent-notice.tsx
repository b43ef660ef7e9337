import { Button } from '@confetti/ui/button'
import { useText } from '../../../texts.ts'
import styles from './unsent-notice.module.css'

interface Props {
  /** How many files of earlier visits wait in the list. */
  waitingCount: number
  /** How many the guest has to choose again. */
  missingCount: number
  onDiscard: () => void
}

/** Says how many files earlier visits of the page have left, and what to do about them. */
export const UnsentNotice = ({ waitingCount, missingCount, onDiscard }: Props) => {
  const t = useText()
  const count = waitingCount + missingCount
  if (count === 0) return null
  return (
    <section aria-label={t('upload.unsent.label')} className={styles.notice}>
      <p>
        <b>{t('upload.unsent.count', { count })}</b>
      </p>
      {missingCount > 0 && (
        <p>
          {waitingCount > 0
            ? t('upload.unsent.chooseSome', { count: missingCount })
            : t('upload.unsent.chooseAll')}
        </p>
      )}
      <div className={styles.actions}>
        <Button variant="outline" onClick={onDiscard}>
          {t('upload.unsent.discard')}
        </Button>
      </div>
    </section>
  )
}
