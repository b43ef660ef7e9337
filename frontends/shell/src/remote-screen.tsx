import { lazy, Suspense, use, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import type { Remote, RemoteName } from '@confetti/federation/remote'
import { useLocation, useRoutes } from '@confetti/federation/router'
import { site } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { Loading } from '@confetti/ui/loading'
import { useFocusNextHeading } from './focus-heading.tsx'
import { NotFound } from './not-found.tsx'
import { reportClientError } from './report-client-error.ts'
import { isUnloadBlocked } from './unload.ts'

export type LoadRemote = (name: RemoteName) => Promise<Remote>

const WithTitle = ({ title, children }: { title: string; children: ReactNode }) => {
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

/** One attempt to load a remote and its pages. React caches a failed `lazy`, so each retry is a new attempt. */
interface Attempt {
  screens: Promise<readonly Screen[]>
  number: number
}

/** The code of a page failed to load. Any other error comes from the page itself. */
class LoadError extends Error {}

const withLoadError = async <T,>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (cause) {
    throw new LoadError('The page could not be loaded.', { cause })
  }
}

const startAttempt = (remote: Promise<Remote>, number: number): Attempt => ({
  number,
  // Created here and not during rendering, which React may repeat: each page is loaded once.
  screens: withLoadError(remote).then(({ routes }) =>
    routes.map(({ path, title, page }) => ({
      path,
      title,
      Page: lazy(async () => ({ default: await withLoadError(page()) })),
    })),
  ),
})

const LoadingScreen = ({ landmark: Landmark }: Pick<Props, 'landmark'>) => (
  <Landmark>
    <Loading />
  </Landmark>
)

const Routes = ({ attempt, landmark: Landmark }: { attempt: Attempt } & Pick<Props, 'landmark'>) => {
  const screens = use(attempt.screens).map(({ path, title, Page }) => ({
    path,
    element: (
      <WithTitle title={title}>
        <Suspense fallback={<LoadingScreen landmark={Landmark} />}>
          <Page />
        </Suspense>
      </WithTitle>
    ),
  }))
  const notFound = (
    <Landmark>
      <NotFound />
    </Landmark>
  )
  return useRoutes([...screens, { path: '*', element: notFound }])
}

const LoadFailed = ({ onRetry }: { onRetry: () => void }) => {
  useFocusNextHeading()
  useEffect(() => {
    window.addEventListener('online', onRetry)
    return () => window.removeEventListener('online', onRetry)
  }, [onRetry])
  return (
    <EmptyState as="h1" title="Couldn't load this page">
      <p role="alert">Check your connection and try again. The rest of the site still works.</p>
      <Button onClick={onRetry}>Retry</Button>
    </EmptyState>
  )
}

const PageCrashed = ({ onRetry }: { onRetry: () => void }) => {
  useFocusNextHeading()
  return (
    <EmptyState as="h1" title="Something went wrong on this page">
      <p role="alert">What you've uploaded is safe, and the rest of the site still works.</p>
      <Button onClick={onRetry}>Retry</Button>
    </EmptyState>
  )
}

/** Reloads the document if the server responds. Offline, a reload would end in the browser's error page. */
const reloadIfOnline = async (): Promise<void> => {
  const isReachable = await fetch('/config.json', { cache: 'no-cache' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isReachable) location.reload()
}

interface Props {
  name: RemoteName
  load: LoadRemote
  /** Called when a retry has failed as well. */
  reload?: () => Promise<void>
  /** The element around the shell's own content, while the remote's is missing. */
  landmark: 'main' | 'div'
}

/** The screens of one remote. If the remote fails to load or throws, only these screens show an error. */
export const RemoteScreen = ({ name, load, reload = reloadIfOnline, landmark: Landmark }: Props) => {
  const { pathname } = useLocation()
  const [attempt, setAttempt] = useState(() => startAttempt(load(name), 1))

  const retry = (): void => {
    // A new release may have removed the files that this page refers to.
    if (attempt.number > 1 && !isUnloadBlocked()) void reload()
    setAttempt(startAttempt(load(name), attempt.number + 1))
  }

  return (
    <ErrorBoundary
      onError={(error) => reportClientError(error, name)}
      resetKeys={[pathname, attempt]}
      fallbackRender={({ error }) => (
        <Landmark>
          {error instanceof LoadError ? <LoadFailed onRetry={retry} /> : <PageCrashed onRetry={retry} />}
        </Landmark>
      )}
    >
      <Suspense fallback={<LoadingScreen landmark={Landmark} />}>
        <Routes attempt={attempt} landmark={Landmark} />
      </Suspense>
    </ErrorBoundary>
  )
}
