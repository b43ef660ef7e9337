import { useEffect, useRef } from 'react'
import Copy from 'lucide-react/icons/copy'
import { Button } from '@confetti/ui/button'
import { notify, notifyError } from '@confetti/ui/notify'
import styles from './unsent-link.module.css'

/** A link for the owner of an account, where the system sends no mail. */
export interface UnsentLink {
  email: string
  url: string
}

/** A link to pass on. It gets the focus when it appears. */
export const UnsentLinkPanel = ({ email, url }: UnsentLink) => {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [url])

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(url)
      notify({ message: 'Link copied' })
    } catch {
      notifyError('Your browser does not allow copying. Select the link and copy it.')
    }
  }

  return (
    <div ref={panel} tabIndex={-1} role="group" aria-label="Link to pass on" className={styles.panel}>
      <p>
        Send this link to <b>{email}</b>. It works once, for a limited time, and is not shown again.
      </p>
      <code className={styles.link}>{url}</code>
      <Button variant="secondary" icon={<Copy size={18} aria-hidden />} onClick={() => void copy()}>
        Copy link
      </Button>
    </div>
  )
}
