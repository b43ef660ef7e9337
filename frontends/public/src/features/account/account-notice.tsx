import { useEffect, useRef, type ReactNode } from 'react'
import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { useText } from '../../owner-texts.ts'
import styles from './account-form.module.css'
import { AccountLayout } from './account-layout.tsx'

/** A page that replaces a form: its heading gets the focus, and a link leads to the sign-in page. */
export const AccountNotice = ({ title, children }: { title: string; children: ReactNode }) => {
  const t = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <AccountLayout>
      <h1 ref={heading} tabIndex={-1} className={styles.noticeTitle}>
        {title}
      </h1>
      <div className={styles.notice}>{children}</div>
      <Link to="/login" className={buttonClass({ variant: 'secondary', wide: true })}>
        {t('account.toSignIn')}
      </Link>
    </AccountLayout>
  )
}
