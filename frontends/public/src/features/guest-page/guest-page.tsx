import type { ReactNode } from 'react'
import { Scraps } from '@confetti/ui/scraps'
import { GuestMain } from './guest-main.tsx'
import styles from './guest-page.module.css'

interface Props {
  icon: ReactNode
  /** `good`: something went well. */
  tone?: 'calm' | 'good'
  title: string
  children: ReactNode
  /** The ways on. */
  actions: ReactNode
}

/** A whole page that says one thing to a guest. */
export const GuestPage = ({ icon, tone = 'calm', title, children, actions }: Props) => (
  <GuestMain className={styles.page}>
    <div className={styles.middle}>
      <Scraps className={styles.scraps} />
      <span className={`${styles.icon} ${styles[tone]}`}>{icon}</span>
      <h1 className={styles.title}>{title}</h1>
      <div className={styles.text}>{children}</div>
      <div className={styles.actions}>{actions}</div>
    </div>
  </GuestMain>
)
