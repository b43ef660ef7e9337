import type { HTMLAttributes } from 'react'
import styles from './card.module.css'

interface Props extends HTMLAttributes<HTMLElement> {
  as?: 'div' | 'article' | 'section' | 'li'
  /** Removes the padding, for content that fills the card to its edges. */
  flush?: boolean
}

export const Card = ({ as: Element = 'div', flush = false, className = '', ...rest }: Props) => (
  <Element className={`${styles.card} ${flush ? '' : styles.padded} ${className}`} {...rest} />
)
