import type { CSSProperties, HTMLAttributes, ReactNode } from 'react'
import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import { LanguageSwitch } from '@confetti/ui/language-switch'
import { useText } from '../../texts.ts'
import styles from './guest-page.module.css'

// The phone's own serif font, so that guests download none. Not in the CSS module, which would rename the fonts.
const fontStyle = { '--display': "ui-serif, Georgia, 'Noto Serif', serif" } as CSSProperties

/** The main element of a guest page, with the choice of the language. */
export const GuestMain = ({ className = '', children, ...rest }: HTMLAttributes<HTMLElement>) => (
  <main className={`${styles.main} ${className}`} style={fontStyle} {...rest}>
    <LanguageSwitch className={styles.language} />
    {children}
  </main>
)

export const HomeLink = ({ variant = 'outline' }: { variant?: 'outline' | 'primary' }) => {
  const t = useText()
  return (
    <Link className={buttonClass({ variant, size: 'large', wide: true })} to="/">
      {t('common.home')}
    </Link>
  )
}

interface Props {
  icon: ReactNode
  tone?: 'neutral' | 'success'
  title: string
  children: ReactNode
  /** Links and buttons to the next steps. */
  actions: ReactNode
  /** Below the message and its actions. */
  after?: ReactNode
}

/** A full-page message for a guest. */
export const GuestPage = ({ icon, tone = 'neutral', title, children, actions, after }: Props) => (
  <GuestMain className={styles.page}>
    <div className={styles.content}>
      <ConfettiDecoration className={styles.decoration} />
      <span className={`${styles.icon} ${styles[tone]}`}>{icon}</span>
      <h1 className={styles.title}>
        <bdi>{title}</bdi>
      </h1>
      <div className={styles.text}>{children}</div>
      <div className={styles.actions}>{actions}</div>
    </div>
    {after}
  </GuestMain>
)
