import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react'
import styles from './button.module.css'

interface Look {
  /** `primary`: the one thing to do here. `quiet`: beside it. `line`: the way out. `danger`: destroys something. */
  look?: 'primary' | 'quiet' | 'line' | 'danger'
  size?: 'regular' | 'small' | 'large'
  wide?: boolean
  icon?: ReactNode
}

/** The class of a button, for links that should look like one. */
export const buttonClass = ({ look = 'primary', size = 'regular', wide = false }: Look = {}): string =>
  [styles.button, styles[look], styles[size], wide && styles.wide].filter(Boolean).join(' ')

export const Button = ({
  look,
  size,
  wide,
  icon,
  children,
  className = '',
  ...rest
}: Look & ButtonHTMLAttributes<HTMLButtonElement>) => (
  <button type="button" className={`${buttonClass({ look, size, wide })} ${className}`} {...rest}>
    {icon}
    {children}
  </button>
)

/** A round button that shows an icon alone; `label` is what it is called. */
export const IconButton = ({
  label,
  children,
  look = 'line',
  className = '',
  ...rest
}: { label: string; look?: Look['look'] | 'bare' } & ButtonHTMLAttributes<HTMLButtonElement>) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    className={`${styles.button} ${styles.icon} ${styles[look]} ${className}`}
    {...rest}
  >
    {children}
  </button>
)

/** A link out of the application that looks like a button. */
export const ButtonLink = ({
  look,
  size,
  wide,
  icon,
  children,
  className = '',
  ...rest
}: Look & AnchorHTMLAttributes<HTMLAnchorElement>) => (
  <a className={`${buttonClass({ look, size, wide })} ${className}`} {...rest}>
    {icon}
    {children}
  </a>
)
