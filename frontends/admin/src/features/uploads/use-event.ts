import { useCallback } from 'react'
import { useAnswer } from '../../use-answer.ts'
import { fetchEventQuietly } from './uploads-api.ts'

type AnyEvent = Awaited<ReturnType<typeof fetchEventQuietly>>

// The list of uploads says what is wrong.
const sayNothing = (): void => undefined

/** The event, once it has come. */
export const useEvent = (eventId: string): AnyEvent | undefined => {
  const ask = useCallback((signal: AbortSignal) => fetchEventQuietly(eventId, signal), [eventId])
  const answer = useAnswer(ask, sayNothing)
  return answer.status === 'there' ? answer.value : undefined
}
