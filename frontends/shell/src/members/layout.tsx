import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import * as Dialog from '@radix-ui/react-dialog'
import Menu from 'lucide-react/icons/menu'
import X from 'lucide-react/icons/x'
import { onLoading } from '@confetti/api-client'
import { Link, useLocation } from '@confetti/federation/router'
import { signOut, site, toggleTheme, useTheme } from '@confetti/session'
import { Button, IconButton } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { LanguageSwitch } from '@confetti/ui/language-switch'
import { Logo } from '@confetti/ui/logo'
import { notifyError } from '@confetti/ui/notify'
import { ThemeToggle } from '@confetti/ui/theme-toggle'
import { useText } from './texts.ts'
import { WELCOME_PATH } from '../guard.tsx'
import styles from './layout.module.css'
import loading from './loading-overlay.module.css'
import { Sidebar } from './sidebar.tsx'

/** A full-screen overlay while requests are in flight. */
const LoadingOverlay = () => {
  const t = useText()
  const [inFlight, setInFlight] = useState(0)
  useEffect(() => onLoading(setInFlight), [])
  return (
    <div role="status" className={inFlight > 0 ? loading.overlay : undefined}>
      {inFlight > 0 && <span>{t('common.loading')}</span>}
    </div>
  )
}

const Drawer = () => {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <IconButton variant="ghost" label={t('shell.menu')} className={styles.menu}>
          <Menu aria-hidden />
        </IconButton>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content className={styles.drawer} aria-describedby={undefined}>
          <div className={styles.drawerTop}>
            <Dialog.Title>{t('shell.menu')}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton variant="ghost" label={t('common.close')}>
                <X aria-hidden />
              </IconButton>
            </Dialog.Close>
          </div>
          <Sidebar onNavigate={() => setOpen(false)} />
          <LanguageSwitch />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Header, sidebar and main element of the logged-in area. */
export const Layout = ({ children }: { children: ReactNode }) => {
  const t = useText()
  const { pathname } = useLocation()
  const dark = useTheme(({ resolvedTheme }) => resolvedTheme === 'dark')
  const main = useRef<HTMLElement>(null)
  const previousPath = useRef(pathname)

  // Moves the focus to the new page, for keyboards and screen readers, before a field of it can have the focus.
  useLayoutEffect(() => {
    if (previousPath.current !== pathname) main.current?.focus({ preventScroll: true })
    previousPath.current = pathname
  }, [pathname])

  const handleSignOut = (): void => {
    signOut().catch((error: unknown) => notifyError(getFailureText(error)))
  }

  return (
    <>
      <a className={styles.skip} href="#main">
        {t('shell.skip')}
      </a>
      <header className={styles.header}>
        <Drawer />
        <Link to={WELCOME_PATH} className={styles.brand}>
          <Logo />
          {site().brand}
        </Link>
        <span className={styles.spacer} />
        <LanguageSwitch className={styles.language} />
        <ThemeToggle dark={dark} onToggle={toggleTheme} />
        <Button variant="outline" size="small" onClick={handleSignOut}>
          {t('shell.logout')}
        </Button>
      </header>
      <div className={styles.columns}>
        <div className={styles.sidebar}>
          <Sidebar />
        </div>
        <main id="main" ref={main} tabIndex={-1} className={styles.main}>
          {children}
        </main>
      </div>
      <LoadingOverlay />
    </>
  )
}
