import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Changes the loaded pages of lists. A list that was requested before may have what has been changed as it was: it is
 * requested again, and a first request is cancelled for that.
 */
export const changeLoaded = <Page>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (page: Page) => Page,
): void => {
  client.setQueriesData<InfiniteData<Page, string | undefined>>(
    { queryKey },
    (data) => data && { ...data, pages: data.pages.map(change) },
  )
  if (client.isFetching({ queryKey }) > 0)
    void client.cancelQueries({ queryKey }).then(() => client.invalidateQueries({ queryKey }))
}
