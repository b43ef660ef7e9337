import { lazy, Suspense, use, useEffect, useState, type ComponentType, type ReactNode } from 'react'
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

interface Screen {
  path: string
  title: string
  Page: ComponentType
}

/** One go at loading a remote and its pages. React remembers what failed, so trying again begins a new one. */
interface Attempt {
  screens: Promise<readonly Screen[]>
  number: number
}

/** The code of a page did not come; anything else that a page throws is its own fault. */
class NotLoaded extends Error {}

const loading = async <T,>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (cause) {
    throw new NotLoaded('The page could not be loaded.', { cause })
  }
}

const begin = (remote: Promise<Remote>, number: number): Attempt => ({
  number,
  // Made once a go, and not while rendering: React may render more than once, and each page is asked for once.
  screens: loading(remote).then(({ routes }) =>
    routes.map(({ path, title, page }) => ({
      path,
      title,
      Page: lazy(async () => ({ default: await loading(page()) })),
    })),
  ),
})

const Waiting = ({ landmark: Landmark }: Pick<Props, 'landmark'>) => (
  <Landmark>
    <Loading />
  </Landmark>
)

const Routes = ({ attempt, landmark: Landmark }: { attempt: Attempt } & Pick<Props, 'landmark'>) => {
  const screens = use(attempt.screens).map(({ path, title, Page }) => ({
    path,
    element: (
      <Titled title={title}>
        <Suspense fallback={<Waiting landmark={Landmark} />}>
          <Page />
        </Suspense>
      </Titled>
    ),
  }))
  const notFound = (
    <Landmark>
      <NotFound />
    </Landmark>
  )
  return useRoutes([...screens, { path: '*', element: notFound }])
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

const Broken = ({ onRetry }: { onRetry: () => void }) => (
  <EmptyState as="h1" title="This page has broken.">
    <p role="alert">That is a fault of ours. What you have sent is safe, and the rest of the site works.</p>
    <Button onClick={onRetry}>Retry</Button>
  </EmptyState>
)

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
  /** What is tried when trying again did not help. */
  startOver?: () => Promise<void>
  /** What the page's own words stand in, while the remote's are not there. */
  landmark: 'main' | 'div'
}

/** The screens of one remote. If it does not come, or breaks, that costs these screens alone. */
export const RemoteScreen = ({ name, load, startOver = reloadPage, landmark: Landmark }: Props) => {
  const { pathname } = useLocation()
  const [attempt, setAttempt] = useState(() => begin(load(name), 1))

  const retry = (): void => {
    // A new release may have taken away the files that this page knows of.
    if (attempt.number > 1) void startOver()
    setAttempt(begin(load(name), attempt.number + 1))
  }

  return (
    <ErrorBoundary
      resetKeys={[pathname, attempt]}
      fallbackRender={({ error }) => (
        <Landmark>
          {error instanceof NotLoaded ? <Failed onRetry={retry} /> : <Broken onRetry={retry} />}
        </Landmark>
      )}
    >
      <Suspense fallback={<Waiting landmark={Landmark} />}>
        <Routes attempt={attempt} landmark={Landmark} />
      </Suspense>
    </ErrorBoundary>
  )
}
