import type { ReactNode } from 'react'
import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import { GuestMain } from './guest-main.tsx'
import styles from './guest-page.module.css'

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
