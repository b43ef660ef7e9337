import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import { ConfettiDecoration } from './confetti-decoration.tsx'

interface Props {
  title: string
  /** `h1` if it is the whole page. */
  as?: 'p' | 'h1' | 'h2'
  /** The next steps: text, links, buttons. */
  children?: ReactNode
}

/** Shown in place of an empty list, or of a page that cannot be shown. */
export const EmptyState = ({ title, as: Title = 'p', children }: Props) => (
  <div className={styles.empty}>
    <ConfettiDecoration className={styles.decoration} />
    <Title className={styles.title}>{title}</Title>
    {children}
  </div>
)
