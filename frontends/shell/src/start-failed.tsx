import { Button } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { useFocusNextHeading } from './focus-heading.tsx'
import styles from './message-page.module.css'
import { useText } from './texts.ts'

/** Shown if the page is loaded, but its configuration or code is not. */
export const StartFailed = ({ onRetry }: { onRetry: () => void }) => {
  useFocusNextHeading()
  const t = useText()
  return (
    <main className={styles.page}>
      <EmptyState as="h1" title={t('shell.startFailed.title')}>
        <p role="alert">{t('shell.startFailed.text')}</p>
        <Button onClick={onRetry}>{t('common.retry')}</Button>
      </EmptyState>
    </main>
  )
}
