import { lazy, Suspense, useEffect, useMemo } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { areaOf } from '@confetti/federation/areas'
import { makeLoadRemote } from '@confetti/federation/load'
import type { SiteConfig } from '@confetti/federation/remote'
import { BrowserRouter, NavigationType, useLocation, useNavigationType } from '@confetti/federation/router'
import { Loading } from '@confetti/ui/loading'
import { Toaster } from '@confetti/ui/toaster'
import { Guard } from './guard.tsx'
import { NotFound } from './not-found.tsx'
import { RemoteScreen, type LoadRemote } from './remote-screen.tsx'
import { StartFailed } from './start-failed.tsx'
import { WELCOME } from './welcome-path.ts'

// Members alone download what they alone use.
const Layout = lazy(async () => ({ default: (await import('./members/layout.tsx')).Layout }))
const Welcome = lazy(async () => ({ default: (await import('./members/welcome.tsx')).Welcome }))

const Screen = ({ load }: { load: LoadRemote }) => {
  const { pathname } = useLocation()
  const area = areaOf(pathname)
  const isWelcome = pathname.replace(/\/+$/, '') === WELCOME
  if (area && !area.roles) return <RemoteScreen name={area.remote} load={load} landmark="main" />
  if (!area && !isWelcome)
    return (
      <main>
        <NotFound />
      </main>
    )
  return (
    <Guard roles={area?.roles}>
      <Layout>
        {area ? (
          <RemoteScreen key={area.remote} name={area.remote} load={load} landmark="div" />
        ) : (
          <Welcome />
        )}
      </Layout>
    </Guard>
  )
}

/**
 * A new page begins at its top; going back, the browser knows where one was. An address that names a place on its page
 * (`/#features`) leaves the scrolling to that page.
 */
const ScrollToTop = () => {
  const { pathname, hash } = useLocation()
  const moved = useNavigationType()
  useEffect(() => {
    if (moved !== NavigationType.Pop && !hash) window.scrollTo({ top: 0, behavior: 'instant' })
  }, [pathname, hash, moved])
  return null
}

export const App = ({ remotes }: Pick<SiteConfig, 'remotes'>) => {
  const load = useMemo(() => makeLoadRemote({ remotes }), [remotes])
  return (
    <BrowserRouter>
      <ErrorBoundary fallbackRender={() => <StartFailed onRetry={() => location.reload()} />}>
        <Suspense fallback={<Loading />}>
          <Screen load={load} />
        </Suspense>
      </ErrorBoundary>
      <Toaster />
      <ScrollToTop />
    </BrowserRouter>
  )
}
