import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { ResponseBody } from '@confetti/api-client'
import { Link } from '@confetti/federation/router'
import { api, site } from '@confetti/session'
import { buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import { LanguageSwitch } from '@confetti/ui/language-switch'
import { Logo } from '@confetti/ui/logo'
import { useText } from '../../owner-texts.ts'
import styles from './account-layout.module.css'

/** The page around the forms for people who are not signed in. */
export const AccountLayout = ({ children }: { children: ReactNode }) => (
  <div className={styles.page}>
    <header className={styles.header}>
      <Link to="/" className={styles.brand}>
        <Logo size={36} />
        {site().brand}
      </Link>
      <LanguageSwitch className={styles.language} />
    </header>
    <main className={styles.main}>
      <ConfettiDecoration className={styles.decoration} />
      <Card className={styles.card}>{children}</Card>
    </main>
  </div>
)

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

type AuthSettings = ResponseBody<'get', '/api/auth/settings'>

/**
 * Whether people can register, and whether passwords can be reset by mail. Undefined until they have been loaded, and if
 * that fails: the server checks them again.
 */
export const useAuthSettings = (): AuthSettings | undefined => {
  const [settings, setSettings] = useState<AuthSettings>()
  useEffect(() => {
    const controller = new AbortController()
    api()
      .get('/api/auth/settings', { signal: controller.signal, quiet: true })
      .then(setSettings)
      .catch(() => undefined)
    return () => controller.abort()
  }, [])
  return settings
}
