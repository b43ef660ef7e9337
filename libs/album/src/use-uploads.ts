import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { getAccessToken } from '@confetti/api-client'
import { openLiveStream } from '@confetti/api-client/live-stream'
import type { LiveEvent, Upload, UploadVisibility } from '@confetti/contracts'
import {
  createUploadList,
  emptyList,
  hasUploads,
  withTimeLimit,
  type ListPage,
  type UploadList,
} from './load-uploads.ts'
import { usePolledQuery, type ListStatus } from './use-polled-query.ts'

interface Override {
  visibility: UploadVisibility
  storedAt: number | undefined
}

/**
 * Visibilities that were changed on this page. A list that was requested before the server has stored a change still has
 * the old one, which is corrected here.
 */
export const createVisibilityOverrides = (now = Date.now) => {
  const overrides = new Map<string, Override>()
  const correct = (upload: Upload): Upload => {
    const { visibility = upload.visibility } = overrides.get(upload._id) ?? {}
    return visibility === upload.visibility ? upload : { ...upload, visibility }
  }
  const apply = (uploads: readonly Upload[]): readonly Upload[] => {
    const corrected = uploads.map(correct)
    return corrected.some((upload, index) => upload !== uploads[index]) ? corrected : uploads
  }

  return {
    /** Sets the visibility of uploads. Returns a function to be called when the server has stored it. */
    set: (ids: readonly string[], visibility: UploadVisibility): (() => void) => {
      const override: Override = { visibility, storedAt: undefined }
      for (const id of ids) overrides.set(id, override)
      return () => {
        override.storedAt = now()
      }
    },
    /** Corrects the list that is shown. */
    apply,
    /** To be called when a list is requested. Returns a function that corrects the response. */
    trackRequest: () => {
      const requestedAt = now()
      return (uploads: readonly Upload[]): readonly Upload[] => {
        for (const [id, { storedAt }] of overrides)
          if (storedAt !== undefined && storedAt < requestedAt) overrides.delete(id)
        return apply(uploads)
      }
    },
  }
}

interface LiveOptions {
  /** The base URL of the API; undefined: nothing is followed. */
  apiUrl: string | undefined
  /** Any call that refreshes an expired access token. */
  refreshToken: (signal: AbortSignal) => Promise<unknown>
  onEvent: (event: LiveEvent) => void
  /** Called with whether changes are reported from now on; if not, the page has to ask. */
  onStatus: (isOpen: boolean) => void
}

const readHeaders = (): Record<string, string> => {
  const token = getAccessToken()
  return token ? { Authorization: `Bearer ${token}` } : {}
}

/** Follows an event as a member. */
const useLiveUpdates = (eventId: string, options: LiveOptions): void => {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { apiUrl } = options
  useEffect(() => {
    if (!apiUrl) return undefined
    const controller = new AbortController()
    const { signal } = controller
    openLiveStream({
      baseUrl: apiUrl,
      eventId,
      headers: readHeaders,
      onUnauthorized: async () => {
        const before = getAccessToken()
        await latest.current.refreshToken(signal)
        return getAccessToken() !== before
      },
      onEvent: (event) => latest.current.onEvent(event),
      onStatus: (status) => latest.current.onStatus(status === 'open'),
      signal,
    })
    return () => {
      controller.abort()
      latest.current.onStatus(false)
    }
  }, [apiUrl, eventId])
}

export { listAllUploads, type ListPage } from './load-uploads.ts'

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
  /**
   * Renews the read links, because a picture has failed to load: once, however many fail. If that fails, the next poll does
   * it.
   */
  renewLinks: () => void
  /** Loads the whole list, however new its read links are: uploads may have been deleted. Resolves with the list. */
  reload: () => Promise<readonly Upload[]>
  /** Removes an upload from the list. */
  remove: (id: string) => void
  /** Shows the change at once, and undoes that if `store` rejects. */
  changeVisibility: (
    ids: readonly string[],
    visibility: UploadVisibility,
    store: () => Promise<unknown>,
  ) => Promise<void>
}

interface Options {
  listPage: ListPage
  /** The base URL of the API, to follow the event's changes. Without it the list is polled. */
  apiUrl?: string
}

/** All uploads of an event, kept up to date while the page is visible: by live updates, or by polling without them. */
export const useUploads = (eventId: string, { listPage, apiUrl }: Options): Uploads => {
  const { queryKey, uploadList } = useMemo(
    () => ({ queryKey: ['uploads', eventId], uploadList: createUploadList() }),
    [eventId],
  )
  const [overrides] = useState(createVisibilityOverrides)
  const [removedIds, setRemovedIds] = useState<ReadonlySet<string>>(new Set())
  const [isLive, setIsLive] = useState(false)

  const {
    client,
    data: list,
    error,
    refetch,
    retry,
    status,
    reportChange,
  } = usePolledQuery<UploadList>({
    queryKey,
    load: async (_, signal) => {
      const correctUploads = overrides.trackRequest()
      const correct = (loaded: UploadList): UploadList => {
        const corrected = correctUploads(loaded.uploads)
        return corrected === loaded.uploads ? loaded : { ...loaded, uploads: corrected }
      }
      const onProgress = (partial: UploadList) => client.setQueryData(queryKey, correct(partial))
      return correct(await uploadList.load({ listPage: withTimeLimit(listPage), signal, onProgress }))
    },
    initialData: emptyList,
    hasData: hasUploads,
    isLive,
  })

  const remove = useCallback((id: string) => setRemovedIds((before) => new Set(before).add(id)), [])
  const showAgain = (id: string): void =>
    setRemovedIds((before) =>
      before.has(id) ? new Set([...before].filter((other) => other !== id)) : before,
    )
  const getKnown = useCallback(
    () => client.getQueryData<UploadList>(queryKey) ?? emptyList,
    [client, queryKey],
  )
  const changeVisibility = useCallback(
    async (ids: readonly string[], visibility: UploadVisibility, store: () => Promise<unknown>) => {
      const show = (changed: readonly string[], next: UploadVisibility): (() => void) => {
        const markStored = overrides.set(changed, next)
        const known = getKnown()
        client.setQueryData(queryKey, { ...known, uploads: overrides.apply(known.uploads) })
        return markStored
      }
      const chosen = new Set(ids)
      const before = getKnown().uploads.filter(({ _id }) => chosen.has(_id))
      const markStored = show(ids, visibility)
      try {
        await store()
        markStored()
      } catch (failure) {
        for (const upload of before) show([upload._id], upload.visibility)()
        throw failure
      }
    },
    [client, queryKey, getKnown, overrides],
  )
  const reload = useCallback(async () => {
    uploadList.expire()
    const { data } = await refetch({ cancelRefetch: true, throwOnError: true })
    return data?.uploads ?? []
  }, [uploadList, refetch])
  const refresh = useCallback(async () => {
    const ageMs = uploadList.linkAgeMs()
    if (ageMs <= MIN_RENEW_INTERVAL_MS) return getKnown().uploads
    if (Number.isFinite(ageMs)) return reload()
    const { data } = await refetch({ cancelRefetch: false, throwOnError: true })
    return data?.uploads ?? []
  }, [uploadList, getKnown, reload, refetch])
  const renewLinks = useCallback(() => {
    const ageMs = uploadList.linkAgeMs()
    if (Number.isFinite(ageMs) && ageMs > MIN_RENEW_INTERVAL_MS) reload().catch(reportChange)
  }, [uploadList, reload, reportChange])

  useLiveUpdates(eventId, {
    apiUrl: status === 'not-found' ? undefined : apiUrl,
    refreshToken: (signal) => listPage({ limit: 1 }, { signal, quiet: true }),
    onStatus: (isOpen) => {
      setIsLive(isOpen)
      if (isLive && !isOpen) reportChange()
    },
    onEvent: ({ name, data }) => {
      if (name === 'event.changed' || name === 'counts') return
      if (name === 'upload.removed') {
        remove(data.uploadId)
        return
      }
      // A guest may restore what they have taken back. After a reset, only the list says what is gone.
      if (name === 'reset') setRemovedIds(new Set())
      else showAgain(data.uploadId)
      reportChange()
    },
  })

  // A response from before a deletion may still contain the upload.
  const uploads = useMemo(
    () => (removedIds.size > 0 ? list.uploads.filter(({ _id }) => !removedIds.has(_id)) : list.uploads),
    [list.uploads, removedIds],
  )
  const { isComplete, arrivedIds } = list
  return {
    uploads,
    isComplete,
    arrivedIds,
    status,
    error,
    retry,
    refresh,
    renewLinks,
    reload,
    remove,
    changeVisibility,
  }
}
