import '@confetti/ui/tokens.css'
import '@confetti/ui/base.css'
import { lazy, Suspense, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { getErrorMessage } from '@confetti/api-client'
import { loadCatalogues } from '@confetti/i18n'
import { initSession, initTheme, signIn, signOut, toggleTheme, useSession, useTheme } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { Loading } from '@confetti/ui/loading'
import { notifyError } from '@confetti/ui/notify'
import { uiCatalogue } from '@confetti/ui/texts'
import { ThemeToggle } from '@confetti/ui/theme-toggle'
import { Toaster } from '@confetti/ui/toaster'
import type { Remote } from './remote.ts'
import { BrowserRouter, Link, useRoutes } from './router.ts'

// Runs a remote without the shell in development: its screens, and a toolbar with links to them and a sign-in form.

const SignInForm = () => {
  const submit = (data: FormData): void => {
    const credentials = { email: data.get('email') as string, password: data.get('password') as string }
    signIn(credentials).catch((error: unknown) => notifyError(getErrorMessage(error)))
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

const Layout = ({ routes, children }: Remote & { children: ReactNode }) => {
  const user = useSession((session) => session.user)
  const dark = useTheme(({ resolvedTheme }) => resolvedTheme === 'dark')
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
          <Button size="small" variant="outline" onClick={() => void signOut().catch(() => undefined)}>
            Sign out {user.email}
          </Button>
        ) : (
          <SignInForm />
        )}
        <ThemeToggle dark={dark} onToggle={toggleTheme} />
      </header>
      {children}
      <Toaster />
    </>
  )
}

const toRouteObjects = ({ routes }: Remote) =>
  routes.map(({ path, page }) => {
    const Page = lazy(async () => ({ default: await page() }))
    return { path, element: <Page /> }
  })

const Screens = ({ routes }: { routes: ReturnType<typeof toRouteObjects> }) => useRoutes(routes)

/** Renders a remote without the shell, connected to the API at `apiUrl`. */
export const runStandalone = async (
  remote: Remote,
  { apiUrl = 'http://localhost:3001', brand = 'Confetti' } = {},
): Promise<void> => {
  const routes = toRouteObjects(remote)
  initTheme()
  initSession({ brand, apiUrl })
  await loadCatalogues([uiCatalogue])
  createRoot(document.getElementById('root') ?? document.body).render(
    <BrowserRouter>
      <Layout {...remote}>
        <Suspense fallback={<Loading />}>
          <Screens routes={routes} />
        </Suspense>
      </Layout>
    </BrowserRouter>,
  )
}
