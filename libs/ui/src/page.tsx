import type { ReactNode } from 'react'
import styles from './page.module.css'

interface Props {
  title: ReactNode
  /** A short introduction below the title. */
  lead?: ReactNode
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of the logged-in area, with its heading. */
export const Page = ({ title, lead, actions, children }: Props) => (
  <>
    <div className={styles.top}>
      <div className={styles.titles}>
        <h1>{title}</h1>
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      {actions}
    </div>
    {children}
  </>
)
