import { useEffect, useState } from 'react'

export type Answer<T> =
  { status: 'waiting' } | { status: 'failed'; error: unknown } | { status: 'there'; value: T }

const waiting = { status: 'waiting' } as const

/**
 * What `ask` answers, asked for when the component appears and by `retry`, and no longer wanted when it goes.
 * Both functions have to stay the same between renders.
 */
export const useAnswer = <T>(
  ask: (signal: AbortSignal) => Promise<T>,
  onFailure: (error: unknown) => void,
): Answer<T> & { retry: () => void } => {
  const [answer, setAnswer] = useState<Answer<T>>(waiting)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    ask(signal).then(
      (value) => {
        if (!signal.aborted) setAnswer({ status: 'there', value })
      },
      (error: unknown) => {
        if (signal.aborted) return
        setAnswer({ status: 'failed', error })
        onFailure(error)
      },
    )
    return () => controller.abort()
  }, [ask, onFailure, attempt])

  const retry = (): void => {
    setAnswer(waiting)
    setAttempt((before) => before + 1)
  }
  return { ...answer, retry }
}
