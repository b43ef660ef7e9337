import { useId, useRef, useState, useSyncExternalStore } from 'react'
import Menu from 'lucide-react/icons/menu'
import X from 'lucide-react/icons/x'
import { Link } from '@confetti/federation/router'
import { site, toggleTheme, useTheme } from '@confetti/session'
import { buttonClass, IconButton } from '@confetti/ui/button'
import { LanguageSwitch } from '@confetti/ui/language-switch'
import { Logo } from '@confetti/ui/logo'
import { ThemeToggle } from '@confetti/ui/theme-toggle'
import { useText } from '../../owner-texts.ts'
import styles from './landing-header.module.css'

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('scroll', listener, { passive: true })
  return () => window.removeEventListener('scroll', listener)
}

/** Whether the page is scrolled by more than `px`. */
const useScrolledPast = (px: number): boolean => useSyncExternalStore(subscribe, () => window.scrollY > px)

const OPAQUE_SCROLL_PX = 50

/** Transparent over the hero, opaque once the page is scrolled. On phones the links are in a menu. */
export const LandingHeader = () => {
  const t = useText()
  const dark = useTheme(({ resolvedTheme }) => resolvedTheme === 'dark')
  const isScrolled = useScrolledPast(OPAQUE_SCROLL_PX)
  const [isOpen, setIsOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const linksId = useId()

  const close = (): void => setIsOpen(false)

  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- handles Escape of its links
    <header
      className={`${styles.header} ${isScrolled || isOpen ? styles.opaque : ''}`}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return
        close()
        menu.current?.querySelector('button')?.focus()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) close()
      }}
    >
      <Link to="/" className={styles.brand}>
        <Logo />
        <span>{site().brand}</span>
      </Link>
      <nav
        id={linksId}
        aria-label={t('landing.navigation')}
        className={`${styles.links} ${isOpen ? styles.open : ''}`}
      >
        <Link to="#features" onClick={close}>
          {t('landing.features')}
        </Link>
        <Link to="#how-it-works" onClick={close}>
          {t('landing.steps')}
        </Link>
      </nav>
      <LanguageSwitch className={styles.language} />
      <ThemeToggle dark={dark} onToggle={toggleTheme} />
      <Link to="/login" className={`${buttonClass({ variant: 'secondary', size: 'small' })} ${styles.login}`}>
        {t('landing.login')}
      </Link>
      <div ref={menu} className={styles.menu}>
        <IconButton
          variant="ghost"
          label={t(isOpen ? 'landing.closeMenu' : 'landing.menu')}
          aria-expanded={isOpen}
          aria-controls={linksId}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? <X aria-hidden /> : <Menu aria-hidden />}
        </IconButton>
      </div>
    </header>
  )
}
