import type { ReactNode } from 'react'
import styles from './page.module.css'

interface Props {
  title: string
  /** A line below the title. */
  lead?: ReactNode
  /** What can be done with the whole page, beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of the logged-in area: its heading, and what it holds. */
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
