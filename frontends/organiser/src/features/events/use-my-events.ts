import { useEffect, useState } from 'react'
import { messageOf } from '@confetti/api-client'
import type { Event } from '@confetti/contracts'
import { notifyError } from '@confetti/ui/notify'
import { fetchMyEvents } from './events-api.ts'

const AGAIN_AFTER_MS = 60_000

/** The organiser's events; asked for again when the reader comes back, and now and then. */
export const useMyEvents = () => {
  const [events, setEvents] = useState<readonly Event[]>()
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const controller = new AbortController()
    const load = async (quiet: boolean): Promise<void> => {
      try {
        setEvents(await fetchMyEvents({ signal: controller.signal, quiet }))
        setError(undefined)
      } catch (failure) {
        // What happens in the background is tried again in the background.
        if (controller.signal.aborted || quiet) return
        setError(failure)
        notifyError(messageOf(failure))
      }
    }
    const loadIfSeen = (): void => {
      if (!document.hidden) void load(true)
    }
    void load(false)
    const timer = setInterval(loadIfSeen, AGAIN_AFTER_MS)
    document.addEventListener('visibilitychange', loadIfSeen)
    window.addEventListener('online', loadIfSeen)
    return () => {
      controller.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', loadIfSeen)
      window.removeEventListener('online', loadIfSeen)
    }
  }, [attempt])

  return {
    events,
    error: events ? undefined : error,
    retry: () => {
      setError(undefined)
      setAttempt((before) => before + 1)
    },
  }
}
