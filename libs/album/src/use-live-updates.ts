import { useEffect, useRef } from 'react'
import { getAccessToken } from '@confetti/api-client'
import { openLiveStream } from '@confetti/api-client/live-stream'
import type { LiveEvent } from '@confetti/contracts'

interface Options {
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
export const useLiveUpdates = (eventId: string, options: Options): void => {
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
