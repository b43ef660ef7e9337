import { useCallback, useMemo, useState } from 'react'
import type { Upload } from '@confetti/contracts'
import type { ListPage } from './list-pages.ts'
import { emptyList, hasUploads, linkAgeMs, loadUploads, type UploadList } from './load-uploads.ts'
import { createProcessingSchedule } from './processing-schedule.ts'
import { usePolledQuery, type ListStatus } from './use-polled-query.ts'

export { listAllUploads, type ListPage } from './list-pages.ts'

// A picture that fails with a newer link has another problem than an expired link.
const MIN_RENEW_INTERVAL_MS = 20_000

export interface Uploads extends Pick<UploadList, 'uploads' | 'isComplete' | 'arrivedIds'> {
  /** `not-found` if the event does not exist; polling then ends. */
  status: ListStatus
  /** Why the last request failed; null after a success. */
  error: Error | null
  /** Loads the list now, after an error. */
  retry: () => void
  /** Resolves with the list and fresh read links. */
  refresh: () => Promise<readonly Upload[]>
  /** Loads the whole list, however new its read links are: uploads may have been deleted. Resolves with the list. */
  reload: () => Promise<readonly Upload[]>
  /** Removes an upload from the list. */
  remove: (id: string) => void
}

/** All uploads of an event, kept up to date by polling while the page is visible. */
export const useUploads = (eventId: string, { listPage }: { listPage: ListPage }): Uploads => {
  const queryKey = useMemo(() => ['uploads', eventId], [eventId])
  const [schedule] = useState(createProcessingSchedule)
  const [removedIds, setRemovedIds] = useState<ReadonlySet<string>>(new Set())

  const {
    client,
    data: list,
    error,
    refetch,
    retry,
    status,
  } = usePolledQuery<UploadList>({
    queryKey,
    load: (known, signal) => {
      const onProgress = (partial: UploadList) => client.setQueryData(queryKey, partial)
      return loadUploads(known, { listPage, signal, schedule, onProgress })
    },
    initialData: emptyList,
    hasData: hasUploads,
  })

  const remove = useCallback((id: string) => setRemovedIds((before) => new Set(before).add(id)), [])
  const getKnown = useCallback(
    () => client.getQueryData<UploadList>(queryKey) ?? emptyList,
    [client, queryKey],
  )
  const reload = useCallback(async () => {
    client.setQueryData(queryKey, { ...getKnown(), linksRequestedAt: undefined })
    const { data } = await refetch({ cancelRefetch: true, throwOnError: true })
    return data?.uploads ?? []
  }, [client, queryKey, getKnown, refetch])
  const refresh = useCallback(async () => {
    const known = getKnown()
    if (linkAgeMs(known) <= MIN_RENEW_INTERVAL_MS) return known.uploads
    if (known.linksRequestedAt !== undefined) return reload()
    const { data } = await refetch({ cancelRefetch: false, throwOnError: true })
    return data?.uploads ?? []
  }, [getKnown, reload, refetch])

  // A response from before a deletion may still contain the upload.
  const uploads = useMemo(
    () => (removedIds.size > 0 ? list.uploads.filter(({ _id }) => !removedIds.has(_id)) : list.uploads),
    [list.uploads, removedIds],
  )
  const { isComplete, arrivedIds } = list
  return { uploads, isComplete, arrivedIds, status, error, retry, refresh, reload, remove }
}
