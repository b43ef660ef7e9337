import type { CSSProperties, HTMLAttributes } from 'react'
import styles from './guest-main.module.css'

// The serif that the phone has: no font to download. In a CSS module the name would be taken for one of its own.
const type = { '--display': "ui-serif, Georgia, 'Noto Serif', serif" } as CSSProperties

/** The whole of a guest's page. */
export const GuestMain = ({ className = '', ...rest }: HTMLAttributes<HTMLElement>) => (
  <main className={`${styles.main} ${className}`} style={type} {...rest} />
)
