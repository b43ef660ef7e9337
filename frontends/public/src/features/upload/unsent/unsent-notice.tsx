import { Button } from '@confetti/ui/button'
import { useText } from '../../../texts.ts'
import type { UnsentFile } from './unsent-files.ts'
import styles from './unsent-notice.module.css'

interface Props {
  files: readonly UnsentFile[]
  onContinue: () => void
  onDiscard: () => void
}

/** Offers to continue with the files that an earlier visit of the page did not finish sending. */
export const UnsentNotice = ({ files, onContinue, onDiscard }: Props) => {
  const t = useText()
  const missing = files.filter(({ hasBytes }) => !hasBytes).length
  const canContinue = missing < files.length
  return (
    <section aria-label={t('upload.unsent.label')} className={styles.notice}>
      <p>
        <b>{t('upload.unsent.count', { count: files.length })}</b>
      </p>
      {missing > 0 && (
        <p>
          {canContinue ? t('upload.unsent.chooseSome', { count: missing }) : t('upload.unsent.chooseAll')}
        </p>
      )}
      <div className={styles.actions}>
        {canContinue && <Button onClick={onContinue}>{t('upload.unsent.continue')}</Button>}
        <Button variant="outline" onClick={onDiscard}>
          {t('upload.unsent.discard')}
        </Button>
      </div>
    </section>
  )
}
