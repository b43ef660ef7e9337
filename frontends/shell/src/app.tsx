import { lazy, Suspense, useLayoutEffect, useMemo } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { createRemoteLoader } from '@confetti/federation/load'
import type { SiteConfig } from '@confetti/federation/remote'
import { findRouteGroup } from '@confetti/federation/route-groups'
import { BrowserRouter, NavigationType, useLocation, useNavigationType } from '@confetti/federation/router'
import { setDefaultTheme } from '@confetti/session'
import { Loading } from '@confetti/ui/loading'
import { Toaster } from '@confetti/ui/toaster'
import { FocusHeading } from './focus-heading.tsx'
import { Guard, WELCOME_PATH } from './guard.tsx'
import { getDefaultTheme } from './page-theme.ts'
import { isUnloadBlocked, RemoteScreen, type LoadRemote } from './remote-screen.tsx'
import { reportClientError } from './report-client-error.ts'
import { StartFailed } from './start-failed.tsx'

// Separate chunks, so that guests do not download them.
const Layout = lazy(async () => {
  const loadTexts = async () => (await import('./members/texts.ts')).loadMembersTexts()
  const [{ Layout: MembersLayout }] = await Promise.all([import('./members/layout.tsx'), loadTexts()])
  return { default: MembersLayout }
})
const NotFoundPage = lazy(async () => ({ default: (await import('./not-found-page.tsx')).NotFoundPage }))
const Welcome = lazy(async () => ({ default: (await import('./members/welcome.tsx')).Welcome }))

interface Props extends Pick<SiteConfig, 'remotes'> {
  /** Called whenever a page of a remote is shown. */
  onPageShown?: (() => void) | undefined
}

const Screen = ({ load, onPageShown }: { load: LoadRemote } & Pick<Props, 'onPageShown'>) => {
  const { pathname } = useLocation()
  const group = findRouteGroup(pathname)
  const isWelcome = pathname.replace(/\/+$/, '') === WELCOME_PATH
  const remoteProps = { load, onPageShown }
  if (group && !group.roles) return <RemoteScreen name={group.remote} landmark="main" {...remoteProps} />
  if (!group && !isWelcome) return <NotFoundPage />
  return (
    <Guard roles={group?.roles}>
      <Layout>
        {group ? (
          <RemoteScreen key={group.remote} name={group.remote} landmark="div" {...remoteProps} />
        ) : (
          <Welcome />
        )}
      </Layout>
    </Guard>
  )
}

/**
 * Scrolls to the top on navigation to a new page. On Back the browser restores the scroll position. With a hash
 * (`/#features`) the page scrolls to its section.
 */
const ScrollToTop = () => {
  const { pathname, hash } = useLocation()
  const navigationType = useNavigationType()
  useLayoutEffect(() => {
    if (navigationType !== NavigationType.Pop && !hash) window.scrollTo({ top: 0, behavior: 'instant' })
  }, [pathname, hash, navigationType])
  return null
}

/** Gives each page its theme, where the user has chosen none. */
const PageTheme = () => {
  const { pathname } = useLocation()
  useLayoutEffect(() => setDefaultTheme(getDefaultTheme(pathname)), [pathname])
  return null
}

export const App = ({ remotes, onPageShown }: Props) => {
  const load = useMemo(() => createRemoteLoader({ remotes }), [remotes])
  return (
    <BrowserRouter>
      <ErrorBoundary
        onError={(error) => reportClientError(error)}
        fallbackRender={({ resetErrorBoundary }) => (
          <StartFailed onRetry={() => (isUnloadBlocked() ? resetErrorBoundary() : location.reload())} />
        )}
      >
        <Suspense fallback={<Loading />}>
          <Screen load={load} onPageShown={onPageShown} />
        </Suspense>
      </ErrorBoundary>
      <Toaster />
      <ScrollToTop />
      <FocusHeading />
      <PageTheme />
    </BrowserRouter>
  )
}
