import { useEffect, useState } from 'react'

const TICK_MS = 1_000
/** Spreads the requests of guests who wait for the same moment. */
const JITTER_MS = 2_000

export interface TimeLeft {
  days: number
  hours: number
  minutes: number
  seconds: number
}

export const splitTime = (ms: number): TimeLeft => {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3_600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  }
}

/** The time left until an instant, updated each second. Calls `onEnd` at the instant or shortly after it. */
export const useCountdown = (instant: string, onEnd: () => void): TimeLeft => {
  const endsAt = Date.parse(instant)
  const [now, setNow] = useState(Date.now)
  const isOver = now >= endsAt

  useEffect(() => {
    if (isOver) {
      const timer = setTimeout(onEnd, Math.random() * JITTER_MS)
      return () => clearTimeout(timer)
    }
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isOver, onEnd])

  return splitTime(endsAt - now)
}
