import { useEffect, useRef, useState, type ReactNode } from 'react'
import * as Dialog from '@radix-ui/react-dialog'
import Menu from 'lucide-react/icons/menu'
import X from 'lucide-react/icons/x'
import { messageOf } from '@confetti/api-client'
import { Link, useLocation } from '@confetti/federation/router'
import { signOut, site, toggleTheme, useTheme } from '@confetti/session'
import { Button, IconButton } from '@confetti/ui/button'
import { Logo } from '@confetti/ui/logo'
import { notifyError } from '@confetti/ui/notify'
import { ThemeToggle } from '@confetti/ui/theme-toggle'
import { WELCOME } from '../welcome-path.ts'
import styles from './layout.module.css'
import { LoadingOverlay } from './loading-overlay.tsx'
import { Sidebar } from './sidebar.tsx'

const Drawer = () => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <IconButton look="bare" label="Menu" className={styles.menu}>
          <Menu aria-hidden />
        </IconButton>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.shade} />
        <Dialog.Content className={styles.drawer} aria-describedby={undefined}>
          <div className={styles.drawerTop}>
            <Dialog.Title>Menu</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton look="bare" label="Close">
                <X aria-hidden />
              </IconButton>
            </Dialog.Close>
          </div>
          <Sidebar onChoose={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** What stands around every page of the logged-in area. */
export const Layout = ({ children }: { children: ReactNode }) => {
  const { pathname } = useLocation()
  const dark = useTheme(({ shown }) => shown === 'dark')
  const main = useRef<HTMLElement>(null)
  const shownPath = useRef(pathname)

  // A new page is where the keyboard and the screen reader go on.
  useEffect(() => {
    if (shownPath.current !== pathname) main.current?.focus({ preventScroll: true })
    shownPath.current = pathname
  }, [pathname])

  const leave = (): void => {
    signOut().catch((error: unknown) => notifyError(messageOf(error)))
  }

  return (
    <>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <header className={styles.header}>
        <Drawer />
        <Link to={WELCOME} className={styles.brand}>
          <Logo />
          {site().brand}
        </Link>
        <span className={styles.gap} />
        <ThemeToggle dark={dark} onToggle={toggleTheme} />
        <Button look="line" size="small" onClick={leave}>
          Logout
        </Button>
      </header>
      <div className={styles.area}>
        <div className={styles.side}>
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
