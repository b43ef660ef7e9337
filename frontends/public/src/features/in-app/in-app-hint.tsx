import { useState } from 'react'
import Copy from 'lucide-react/icons/copy'
import X from 'lucide-react/icons/x'
import { browserStorage } from '@confetti/api-client'
import { createTexts, loadCatalogues, type Catalogue } from '@confetti/i18n'
import { Button, IconButton } from '@confetti/ui/button'
import type { UiTextId } from '@confetti/ui/texts'
import type english from '../../../locales/in-app/en.json'
import { getLink } from '../pin/link-key.ts'
import styles from './in-app-hint.module.css'

/** The texts are in the chunk of the hint, in all languages: the remote's entry, which all guests download, names each file. */
const catalogue: Catalogue = (locale) =>
  import(/* webpackMode: 'eager' */ `../../../locales/in-app/${locale}.json`, {
    with: { type: 'json' },
  }) as ReturnType<Catalogue>
const { useText } = createTexts<keyof typeof english | UiTextId>()

const CLOSED_KEY = 'inAppHintClosed'

/** Says how to leave the browser of an app, in which sending and saving can fail, and copies the link for that. */
const InAppHint = ({ app }: { app: string }) => {
  const t = useText()
  const [isClosed, setIsClosed] = useState(() => browserStorage.get(CLOSED_KEY) !== undefined)
  const [result, setResult] = useState<'upload.inApp.copied' | 'upload.inApp.copyFailed'>()
  if (isClosed) return null

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(getLink())
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
          {getLink()}
        </p>
      )}
      <IconButton label={t('common.close')} variant="ghost" className={styles.close} onClick={close}>
        <X aria-hidden />
      </IconButton>
    </section>
  )
}

/** The hint, once its texts have loaded. */
export const loadInAppHint = async () => {
  await loadCatalogues([catalogue])
  return { default: InAppHint }
}
