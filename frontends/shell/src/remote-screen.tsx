import { Suspense, use, useEffect, useState, type ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import type { Remote, RemoteName } from '@confetti/federation/remote'
import { useLocation, useRoutes } from '@confetti/federation/router'
import { site } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { Loading } from '@confetti/ui/loading'
import { NotFound } from './not-found.tsx'

export type LoadRemote = (name: RemoteName) => Promise<Remote>

const Titled = ({ title, children }: { title: string; children: ReactNode }) => {
  useEffect(() => {
    document.title = `${title} · ${site().brand}`
  }, [title])
  return children
}

const Routes = ({ remote, landmark: Landmark }: { remote: Promise<Remote> } & Pick<Props, 'landmark'>) => {
  const { routes } = use(remote)
  return useRoutes([
    ...routes.map(({ path, title, Component }) => ({
      path,
      element: (
        <Titled title={title}>
          <Component />
        </Titled>
      ),
    })),
    {
      path: '*',
      element: (
        <Landmark>
          <NotFound />
        </Landmark>
      ),
    },
  ])
}

const Failed = ({ onRetry }: { onRetry: () => void }) => {
  useEffect(() => {
    window.addEventListener('online', onRetry)
    return () => window.removeEventListener('online', onRetry)
  }, [onRetry])
  return (
    <EmptyState as="h1" title="This page could not be loaded.">
      <p role="alert">
        The connection may be bad, or this part of the site is being repaired. The rest works.
      </p>
      <Button onClick={onRetry}>Retry</Button>
    </EmptyState>
  )
}

/** Loads the whole page again, if it can be had: offline, the browser's own error page would take its place. */
const reloadPage = async (): Promise<void> => {
  const reachable = await fetch('/config.json', { cache: 'no-cache' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (reachable) location.reload()
}

interface Props {
  name: RemoteName
  load: LoadRemote
  /** What becomes of a page that does not come though its remote did. */
  startOver?: () => Promise<void>
  /** What the page's own words stand in, while the remote's are not there. */
  landmark: 'main' | 'div'
}

/** The screens of one remote. If it does not come, or breaks, that costs these screens alone. */
export const RemoteScreen = ({ name, load, startOver = reloadPage, landmark: Landmark }: Props) => {
  const { pathname } = useLocation()
  const [remote, setRemote] = useState(() => load(name))

  const retry = (): void => {
    const again = load(name)
    setRemote(again)
    // React's `lazy` never asks twice for a page that failed, and a new release may have taken its file away.
    if (again === remote) void startOver()
  }

  return (
    <div data-app={name}>
      <ErrorBoundary
        resetKeys={[pathname, remote]}
        fallbackRender={() => (
          <Landmark>
            <Failed onRetry={retry} />
          </Landmark>
        )}
      >
        <Suspense
          fallback={
            <Landmark>
              <Loading />
            </Landmark>
          }
        >
          <Routes remote={remote} landmark={Landmark} />
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}
