import { requestWithTimeout } from '../upload/time-limit.ts'

/** About 40 MB. */
const MAX_PICTURES = 200
const LOAD_TIMEOUT_MS = 15_000

const fetchPicture = async (link: string, signal: AbortSignal): Promise<Blob> => {
  const response = await fetch(link, { signal })
  if (!response.ok) throw new Error(`The picture could not be loaded: ${response.status}`)
  return response.blob()
}

/**
 * The pictures that a wall has shown last, by the id of their upload: the wall continues with them without a network
 * and when their links have expired.
 */
export const createPictureCache = () => {
  /** Object URLs; those used last come last. */
  const urls = new Map<string, string>()
  const closing = new AbortController()
  const remove = (id: string): void => {
    const url = urls.get(id)
    if (url !== undefined) URL.revokeObjectURL(url)
    urls.delete(id)
  }
  const use = (id: string, url: string): string => {
    urls.delete(id)
    urls.set(id, url)
    const [oldest] = urls.keys()
    if (urls.size > MAX_PICTURES && oldest !== undefined) remove(oldest)
    return url
  }

  return {
    has: (id: string): boolean => urls.has(id),
    /** Resolves with an object URL of a picture; rejects if it is neither known nor can be loaded. */
    load: async (id: string, link: string): Promise<string> => {
      const known = urls.get(id)
      if (known !== undefined) return use(id, known)
      const picture = await requestWithTimeout(
        closing.signal,
        (signal) => fetchPicture(link, signal),
        LOAD_TIMEOUT_MS,
      )
      if (closing.signal.aborted) throw new Error('The wall has been closed.')
      const url = URL.createObjectURL(picture)
      // Another call may have loaded it meanwhile.
      remove(id)
      return use(id, url)
    },
    /** Removes all pictures but those of `ids`. */
    keepOnly: (ids: ReadonlySet<string>): void => {
      for (const id of urls.keys()) if (!ids.has(id)) remove(id)
    },
    /** Removes all pictures, also those that are being loaded. */
    close: (): void => {
      closing.abort()
      for (const id of urls.keys()) remove(id)
    },
  }
}
export type PictureCache = ReturnType<typeof createPictureCache>
