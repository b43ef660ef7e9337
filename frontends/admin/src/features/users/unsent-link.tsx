import { useEffect, useRef } from 'react'
import Copy from 'lucide-react/icons/copy'
import { Button } from '@confetti/ui/button'
import { notify, notifyError } from '@confetti/ui/notify'
import { getText, useText } from '../../texts.ts'
import styles from './unsent-link.module.css'

/** A link for the owner of an account, where the system sends no mail. */
export interface UnsentLink {
  email: string
  url: string
}

/** A link to pass on. It gets the focus when it appears. */
export const UnsentLinkPanel = ({ email, url }: UnsentLink) => {
  const t = useText()
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [url])

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(url)
      notify({ message: getText('admin.users.link.copied') })
    } catch {
      notifyError(getText('admin.users.link.copyFailed'))
    }
  }

  return (
    <div
      ref={panel}
      tabIndex={-1}
      role="group"
      aria-label={t('admin.users.link.title')}
      className={styles.panel}
    >
      <p>{t('admin.users.link.hint', { email })}</p>
      <code dir="ltr" className={styles.link}>
        {url}
      </code>
      <Button variant="secondary" icon={<Copy size={18} aria-hidden />} onClick={() => void copy()}>
        {t('admin.users.link.copy')}
      </Button>
    </div>
  )
}
