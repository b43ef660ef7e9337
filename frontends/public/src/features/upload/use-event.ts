import { useCallback, useEffect, useState } from 'react'
import { ApiError, messageOf } from '@confetti/api-client'
import type { GuestEvent } from '@confetti/contracts'
import { readEvent } from './event-api.ts'

export type EventState =
  | { is: 'loading' }
  | { is: 'there'; event: GuestEvent }
  | { is: 'unknown' }
  | { is: 'not-loaded'; message: string }

const LIMIT_MS = 20_000
const LATE = 'The event could not be loaded in time.'

const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** Reads the event, and again by `retry` or when the connection is back. */
export const useEvent = (eventId: string): { state: EventState; retry: () => void } => {
  const [state, setState] = useState<EventState>({ is: 'loading' })
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(new Error(LATE)), LIMIT_MS)
    let unmounted = false
    void readEvent(eventId, controller.signal)
      .then(
        (event): EventState => ({ is: 'there', event }),
        (error: unknown): EventState =>
          isUnknown(error) ? { is: 'unknown' } : { is: 'not-loaded', message: messageOf(error) },
      )
      .then((next) => {
        if (!unmounted) setState(next)
      })
      .finally(() => clearTimeout(timer))
    return () => {
      unmounted = true
      controller.abort()
    }
  }, [eventId, attempt])

  const retry = useCallback(() => {
    setState({ is: 'loading' })
    setAttempt((before) => before + 1)
  }, [])

  const failed = state.is === 'not-loaded'
  useEffect(() => {
    if (!failed) return
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [failed, retry])

  return { state, retry }
}
