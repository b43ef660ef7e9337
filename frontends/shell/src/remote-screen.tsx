import type { Remote, RemoteName, RemoteRoute } from '@confetti/federation/remote'
import { useLocation, useRoutes } from '@confetti/federation/router'
import { createTexts, useLocale } from '@confetti/i18n'
import { Button } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { Loading } from '@confetti/ui/loading'
import { lazy, Suspense, use, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useFocusNextHeading } from './focus-heading.tsx'
import styles from './message-page.module.css'
import { NotFound } from './not-found.tsx'
import { reportClientError } from './report-client-error.ts'
import { useText } from './texts.ts'
import { useTitle } from './use-title.ts'

/**
 * Whether a page of a remote asks to stay open, because it is sending files. Asked by the event by which the browser asks
 * before it closes a page, so that remotes need not know the shell.
 */
export const isUnloadBlocked = (): boolean =>
  !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

export type LoadRemote = (name: RemoteName) => Promise<Remote>

// The ids are those of the remote's own texts.
const { getText, hasText } = createTexts()

/** A page that has loaded, and so have its texts, with its title. */
const WithTitle = ({
  title,
  titleId,
  children,
}: Pick<Screen, 'title' | 'titleId'> & { children: ReactNode }) => {
  useLocale()
  useTitle(titleId !== undefined && hasText(titleId) ? getText(titleId) : title)
  return children
}

type Screen = Omit<RemoteRoute, 'page'> & { Page: ComponentType }

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
    routes.map(({ page, ...route }) => ({
      ...route,
      Page: lazy(async () => ({ default: await withLoadError(page()) })),
    })),
  ),
})

/** A message in place of a page: of the whole window outside of members' layout. */
const Message = ({ landmark: Landmark, children }: Pick<Props, 'landmark'> & { children: ReactNode }) => (
  <Landmark className={Landmark === 'main' ? styles.page : undefined}>{children}</Landmark>
)

const LoadingScreen = ({ landmark: Landmark }: Pick<Props, 'landmark'>) => (
  <Landmark>
    <Loading />
  </Landmark>
)

/** Calls `onShown` when the page beside it is shown. */
const PageShown = ({ onShown }: { onShown: () => void }) => {
  useEffect(onShown, [onShown])
  return null
}

const Routes = ({
  attempt,
  landmark: Landmark,
  onPageShown,
}: { attempt: Attempt } & Pick<Props, 'landmark' | 'onPageShown'>) => {
  const screens = use(attempt.screens).map(({ path, Page, ...titles }) => ({
    path,
    element: (
      <Suspense fallback={<LoadingScreen landmark={Landmark} />}>
        <WithTitle {...titles}>
          <Page />
          {onPageShown && <PageShown onShown={onPageShown} />}
        </WithTitle>
      </Suspense>
    ),
  }))
  const notFound = (
    <Message landmark={Landmark}>
      <NotFound />
    </Message>
  )
  return useRoutes([...screens, { path: '*', element: notFound }])
}

const LoadFailed = ({ onRetry }: { onRetry: () => void }) => {
  useFocusNextHeading()
  const t = useText()
  useEffect(() => {
    window.addEventListener('online', onRetry)
    return () => window.removeEventListener('online', onRetry)
  }, [onRetry])
  return (
    <EmptyState as="h1" title={t('shell.loadFailed.title')}>
      <p role="alert">{t('shell.loadFailed.text')}</p>
      <Button onClick={onRetry}>{t('common.retry')}</Button>
    </EmptyState>
  )
}

const PageCrashed = ({ onRetry }: { onRetry: () => void }) => {
  useFocusNextHeading()
  const t = useText()
  return (
    <EmptyState as="h1" title={t('shell.crashed.title')}>
      <p role="alert">{t('shell.crashed.text')}</p>
      <Button onClick={onRetry}>{t('common.retry')}</Button>
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
  /** Called whenever a page is shown. */
  onPageShown?: (() => void) | undefined
  /** The element around the shell's own content, while the remote's is missing. */
  landmark: 'main' | 'div'
}

/** The screens of one remote. If the remote fails to load or throws, only these screens show an error. */
export const RemoteScreen = ({
  name,
  load,
  reload = reloadIfOnline,
  onPageShown,
  landmark: Landmark,
}: Props) => {
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
        <Message landmark={Landmark}>
          {error instanceof LoadError ? <LoadFailed onRetry={retry} /> : <PageCrashed onRetry={retry} />}
        </Message>
      )}
    >
      <Suspense fallback={<LoadingScreen landmark={Landmark} />}>
        <Routes attempt={attempt} landmark={Landmark} onPageShown={onPageShown} />
      </Suspense>
    </ErrorBoundary>
  )
}
