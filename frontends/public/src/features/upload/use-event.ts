import { useCallback, useEffect, useMemo, useState } from 'react'
import { suggestLocale, useLocale } from '@confetti/i18n'
import { loadEvent, type LoadedEvent } from './load-event.ts'
import { translateEvent } from './translate-event.ts'

export type EventState = { status: 'pending'; isServerBusy: boolean } | LoadedEvent

const PENDING: EventState = { status: 'pending', isServerBusy: false }

/** Loads the event in the page's language. After a failure it loads it again when `retry` is called or the device is back online. */
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

  const language = state.status === 'success' ? state.event.language : undefined
  useEffect(() => {
    // Without its texts, the page stays as it is.
    if (language) suggestLocale(language).catch(() => undefined)
  }, [language])

  const locale = useLocale()
  const translated = useMemo(
    () => (state.status === 'success' ? { ...state, event: translateEvent(state.event, locale) } : state),
    [state, locale],
  )
  return { state: translated, retry }
}
