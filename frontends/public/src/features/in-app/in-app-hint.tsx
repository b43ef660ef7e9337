import { useState } from 'react'
import Copy from 'lucide-react/icons/copy'
import X from 'lucide-react/icons/x'
import { browserStorage } from '@confetti/api-client'
import { Button, IconButton } from '@confetti/ui/button'
import { useText } from './in-app-texts.ts'
import styles from './in-app-hint.module.css'

const CLOSED_KEY = 'inAppHintClosed'

/** Says how to leave the browser of an app, in which sending and saving can fail, and copies the link for that. */
export const InAppHint = ({ app }: { app: string }) => {
  const t = useText()
  const [isClosed, setIsClosed] = useState(() => browserStorage.get(CLOSED_KEY) !== undefined)
  const [result, setResult] = useState<'upload.inApp.copied' | 'upload.inApp.copyFailed'>()
  if (isClosed) return null

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.href)
      setResult('upload.inApp.copied')
    } catch {
      setResult('upload.inApp.copyFailed')
    }
  }
  const close = (): void => {
    browserStorage.set(CLOSED_KEY, '1')
    setIsClosed(true)
  }

  return (
    <section aria-label={t('upload.inApp.title')} className={styles.hint}>
      <p className={styles.title}>{t('upload.inApp.title')}</p>
      <p>{t('upload.inApp.text', { app })}</p>
      <div>
        <Button variant="outline" icon={<Copy size={18} aria-hidden />} onClick={() => void copy()}>
          {t('upload.inApp.copy')}
        </Button>
      </div>
      <p role="status" hidden={!result}>
        {result && t(result)}
      </p>
      {result === 'upload.inApp.copyFailed' && (
        <p dir="ltr" className={styles.link}>
          {location.href}
        </p>
      )}
      <IconButton label={t('common.close')} variant="ghost" className={styles.close} onClick={close}>
        <X aria-hidden />
      </IconButton>
    </section>
  )
}
