import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import { Scraps } from './scraps.tsx'

interface Props {
  title: string
  /** What to do next. */
  children?: ReactNode
}

/** Where a list has nothing to show. */
export const EmptyState = ({ title, children }: Props) => (
  <div className={styles.empty}>
    <Scraps className={styles.scraps} />
    <p className={styles.title}>{title}</p>
    {children}
  </div>
)
