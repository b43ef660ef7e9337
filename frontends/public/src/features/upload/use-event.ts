import { useCallback, useEffect, useState } from 'react'
import { loadEvent, type LoadedEvent } from './load-event.ts'

export type EventState = { status: 'pending'; isServerBusy: boolean } | LoadedEvent

const PENDING: EventState = { status: 'pending', isServerBusy: false }

/** Loads the event. After a failure it loads it again when `retry` is called or the device is back online. */
export const useEvent = (eventId: string): { state: EventState; retry: () => void } => {
  const [state, setState] = useState<EventState>(PENDING)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const controller = new AbortController()
    let unmounted = false
    const update = (nextState: EventState): void => {
      if (!unmounted) setState(nextState)
    }
    const onServerBusy = (): void => update({ status: 'pending', isServerBusy: true })
    void loadEvent(eventId, { controller, onServerBusy }).then(update)
    return () => {
      unmounted = true
      controller.abort()
    }
  }, [eventId, attempt])

  const retry = useCallback(() => {
    setState(PENDING)
    setAttempt((previous) => previous + 1)
  }, [])

  const failed = state.status === 'error'
  useEffect(() => {
    if (!failed) return
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [failed, retry])

  return { state, retry }
}
