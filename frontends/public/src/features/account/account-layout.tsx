import type { ReactNode } from 'react'
import { Link } from '@confetti/federation/router'
import { site } from '@confetti/session'
import { Card } from '@confetti/ui/card'
import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import { LanguageSwitch } from '@confetti/ui/language-switch'
import { Logo } from '@confetti/ui/logo'
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
