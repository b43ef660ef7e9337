import { useId, useRef, useState } from 'react'
import Menu from 'lucide-react/icons/menu'
import X from 'lucide-react/icons/x'
import { Link } from '@confetti/federation/router'
import { site, toggleTheme, useTheme } from '@confetti/session'
import { buttonClass, IconButton } from '@confetti/ui/button'
import { Logo } from '@confetti/ui/logo'
import { ThemeToggle } from '@confetti/ui/theme-toggle'
import styles from './landing-header.module.css'
import { useScrolledPast } from './use-scrolled-past.ts'

const OPAQUE_PAST_PX = 50

/** Clear over the hero, opaque once the page is scrolled. On phones the sections' links are behind a button. */
export const LandingHeader = () => {
  const dark = useTheme(({ shown }) => shown === 'dark')
  const scrolled = useScrolledPast(OPAQUE_PAST_PX)
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLDivElement>(null)
  const links = useId()

  const close = (): void => setOpen(false)

  return (
    <header
      className={`${styles.header} ${scrolled || open ? styles.opaque : ''}`}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !open) return
        close()
        opener.current?.querySelector('button')?.focus()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) close()
      }}
    >
      <Link to="/" className={styles.brand}>
        <Logo />
        <span>{site().brand}</span>
      </Link>
      <nav id={links} aria-label="On this page" className={`${styles.links} ${open ? styles.open : ''}`}>
        <Link to="#features" onClick={close}>
          Features
        </Link>
        <Link to="#how-it-works" onClick={close}>
          How It Works
        </Link>
      </nav>
      <ThemeToggle dark={dark} onToggle={toggleTheme} />
      <Link to="/login" className={buttonClass({ look: 'quiet', size: 'small' })}>
        Login
      </Link>
      <div ref={opener} className={styles.opener}>
        <IconButton
          look="bare"
          label={open ? 'Close the menu' : 'Menu'}
          aria-expanded={open}
          aria-controls={links}
          onClick={() => setOpen(!open)}
        >
          {open ? <X aria-hidden /> : <Menu aria-hidden />}
        </IconButton>
      </div>
    </header>
  )
}
