import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import { Scraps } from './scraps.tsx'

interface Props {
  title: string
  /** `h1` where it is the whole page. */
  as?: 'p' | 'h1' | 'h2'
  /** What to do next. */
  children?: ReactNode
}

/** Where a list has nothing to show. */
export const EmptyState = ({ title, as: Title = 'p', children }: Props) => (
  <div className={styles.empty}>
    <Scraps className={styles.scraps} />
    <Title className={styles.title}>{title}</Title>
    {children}
  </div>
)
