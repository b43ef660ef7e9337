import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentProps, ReactNode } from 'react'
import styles from './button.module.css'

interface ButtonStyle {
  /** `primary`: the main action. `secondary`: beside it. `outline`: cancel or leave. `danger`: deletes something. */
  variant?: 'primary' | 'secondary' | 'outline' | 'danger'
  size?: 'regular' | 'small' | 'large'
  wide?: boolean
  icon?: ReactNode
}

/** Class names of a button, for links that should look like one. */
export const buttonClass = ({
  variant = 'primary',
  size = 'regular',
  wide = false,
}: ButtonStyle = {}): string =>
  [styles.button, styles[variant], styles[size], wide && styles.wide].filter(Boolean).join(' ')

export const Button = ({
  variant,
  size,
  wide,
  icon,
  children,
  className = '',
  ...rest
}: ButtonStyle & ComponentProps<'button'>) => (
  <button type="button" className={`${buttonClass({ variant, size, wide })} ${className}`} {...rest}>
    {icon}
    {children}
  </button>
)

/** A button that shows only an icon. `label` is its accessible name and tooltip. */
export const IconButton = ({
  label,
  children,
  variant = 'outline',
  className = '',
  ...rest
}: {
  label: string
  variant?: ButtonStyle['variant'] | 'ghost'
} & ButtonHTMLAttributes<HTMLButtonElement>) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    className={`${styles.button} ${styles.icon} ${styles[variant]} ${className}`}
    {...rest}
  >
    {children}
  </button>
)

/** A link that looks like a button, for addresses outside the application. */
export const ButtonLink = ({
  variant,
  size,
  wide,
  icon,
  children,
  className = '',
  ...rest
}: ButtonStyle & AnchorHTMLAttributes<HTMLAnchorElement>) => (
  <a className={`${buttonClass({ variant, size, wide })} ${className}`} {...rest}>
    {icon}
    {children}
  </a>
)
