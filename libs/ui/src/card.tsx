import type { HTMLAttributes } from 'react'
import styles from './card.module.css'

interface Props extends HTMLAttributes<HTMLElement> {
  as?: 'div' | 'article' | 'section' | 'li'
  /** Without space inside, for what fills the card to its edges. */
  flush?: boolean
}

export const Card = ({ as: Element = 'div', flush = false, className = '', ...rest }: Props) => (
  <Element className={`${styles.card} ${flush ? '' : styles.roomy} ${className}`} {...rest} />
)
