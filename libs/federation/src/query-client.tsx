import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { RemoteRoute } from './remote.ts'

/** Creates a query client with the defaults of our remotes. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // The API client repeats a call after a token refresh; every other failure is shown, with a Retry
        // button.
        retry: false,
        // Without a connection a query fails at once instead of waiting silently until the browser is online.
        networkMode: 'always',
        // Each visit loads again, and nothing stays in memory for the next person who signs in on this device.
        gcTime: 0,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
    },
  })

/** The routes of a remote, with one query client for all of their pages. */
export const withQueryClient = (routes: readonly RemoteRoute[]): readonly RemoteRoute[] => {
  const client = createQueryClient()
  return routes.map((route) => ({
    ...route,
    page: async () => {
      const Page = await route.page()
      return () => (
        <QueryClientProvider client={client}>
          <Page />
        </QueryClientProvider>
      )
    },
  }))
}
