import { useEffect, useState } from 'react'
import { fetchEventQuietly } from './uploads-api.ts'

type AnyEvent = Awaited<ReturnType<typeof fetchEventQuietly>>

/** The event, once it has come. */
export const useEvent = (eventId: string): AnyEvent | undefined => {
  const [event, setEvent] = useState<AnyEvent>()
  useEffect(() => {
    const controller = new AbortController()
    fetchEventQuietly(eventId, controller.signal)
      .then(setEvent)
      // The list of uploads says what is wrong.
      .catch(() => undefined)
    return () => controller.abort()
  }, [eventId])
  return event
}
