import '@confetti/ui/tokens.css'
import '@confetti/ui/base.css'
import { lazy, Suspense, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { messageOf } from '@confetti/api-client'
import { openSession, openTheme, signIn, signOut, toggleTheme, useSession, useTheme } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { Loading } from '@confetti/ui/loading'
import { notifyError } from '@confetti/ui/notify'
import { ThemeToggle } from '@confetti/ui/theme-toggle'
import { Toaster } from '@confetti/ui/toaster'
import type { Remote } from './remote.ts'
import { BrowserRouter, Link, useRoutes } from './router.ts'

// A remote without the shell, for the team that makes it: its screens, a bar to go to them, and somebody signed in.

const SignIn = () => {
  const submit = (data: FormData): void => {
    const credentials = { email: data.get('email') as string, password: data.get('password') as string }
    signIn(credentials).catch((error: unknown) => notifyError(messageOf(error)))
  }
  return (
    <form action={submit} style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
      <input name="email" type="email" required aria-label="Email" placeholder="Email" />
      <input name="password" type="password" required aria-label="Password" placeholder="Password" />
      <Button type="submit" size="small">
        Sign in
      </Button>
    </form>
  )
}

const Bar = ({ routes, children }: Remote & { children: ReactNode }) => {
  const user = useSession((session) => session.user)
  const dark = useTheme(({ shown }) => shown === 'dark')
  return (
    <>
      <header style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 16, padding: 12 }}>
        <nav aria-label="Screens" style={{ display: 'flex', flexWrap: 'wrap', gap: 16 }}>
          {routes
            .filter(({ path }) => !path.includes(':'))
            .map(({ path, title }) => (
              <Link key={path} to={path}>
                {title}
              </Link>
            ))}
        </nav>
        {user ? (
          <Button size="small" look="line" onClick={() => void signOut().catch(() => undefined)}>
            Sign {user.email} out
          </Button>
        ) : (
          <SignIn />
        )}
        <ThemeToggle dark={dark} onToggle={toggleTheme} />
      </header>
      {children}
      <Toaster />
    </>
  )
}

const screensOf = ({ routes }: Remote) =>
  routes.map(({ path, page }) => {
    const Page = lazy(async () => ({ default: await page() }))
    return { path, element: <Page /> }
  })

const Screens = ({ screens }: { screens: ReturnType<typeof screensOf> }) => useRoutes(screens)

/** Shows a remote by itself, on the API at `apiUrl`. */
export const runAlone = (
  remote: Remote,
  { apiUrl = 'http://localhost:3001', brand = 'Confetti' } = {},
): void => {
  const screens = screensOf(remote)
  openTheme()
  openSession({ brand, apiUrl })
  createRoot(document.getElementById('root') ?? document.body).render(
    <BrowserRouter>
      <Bar {...remote}>
        <Suspense fallback={<Loading />}>
          <Screens screens={screens} />
        </Suspense>
      </Bar>
    </BrowserRouter>,
  )
}
