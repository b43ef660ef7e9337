import type { CSSProperties, HTMLAttributes } from 'react'
import { LanguageSwitch } from '@confetti/ui/language-switch'
import styles from './guest-main.module.css'

// The phone's own serif font, so that guests download none. Not in the CSS module, which would rename the fonts.
const fontStyle = { '--display': "ui-serif, Georgia, 'Noto Serif', serif" } as CSSProperties

/** The main element of a guest page, with the choice of the language. */
export const GuestMain = ({ className = '', children, ...rest }: HTMLAttributes<HTMLElement>) => (
  <main className={`${styles.main} ${className}`} style={fontStyle} {...rest}>
    <LanguageSwitch className={styles.language} />
    {children}
  </main>
)
