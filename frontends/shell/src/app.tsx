import { lazy, Suspense, useMemo } from 'react'
import { makeLoadRemote } from '@confetti/federation/load'
import type { SiteConfig } from '@confetti/federation/remote'
import { createBrowserRouter, RouterProvider, ScrollRestoration, useLocation } from '@confetti/federation/router'
import { Loading } from '@confetti/ui/loading'
import { Toaster } from '@confetti/ui/toaster'
import { areaOf, WELCOME } from './areas.ts'
import { Guard } from './guard.tsx'
import { NotFound } from './not-found.tsx'
import { RemoteScreen, type LoadRemote } from './remote-screen.tsx'

// Members alone download what they alone use.
const Layout = lazy(async () => ({ default: (await import('./members/layout.tsx')).Layout }))
const Welcome = lazy(async () => ({ default: (await import('./members/welcome.tsx')).Welcome }))

const Screen = ({ load }: { load: LoadRemote }) => {
  const { pathname } = useLocation()
  const area = areaOf(pathname)
  if (area && !area.roles) return <RemoteScreen name={area.remote} load={load} />
  if (!area && pathname !== WELCOME) return <NotFound />
  return (
    <Guard roles={area?.roles}>
      <Layout>
        {area ? <RemoteScreen key={area.remote} name={area.remote} load={load} /> : <Welcome />}
      </Layout>
    </Guard>
  )
}

const Root = ({ load }: { load: LoadRemote }) => (
  <>
    <Suspense fallback={<Loading />}>
      <Screen load={load} />
    </Suspense>
    <Toaster />
    <ScrollRestoration />
  </>
)

export const App = ({ remotes }: Pick<SiteConfig, 'remotes'>) => {
  const router = useMemo(() => {
    const load = makeLoadRemote({ remotes })
    // One route: each remote brings the others, with whole addresses.
    return createBrowserRouter([{ path: '*', element: <Root load={load} /> }])
  }, [remotes])
  return <RouterProvider router={router} />
}
