import { setTimeout as sleep } from 'node:timers/promises'

export interface EndlessResponses {
  /** Adds a response that continues until `end` is called. Returns a function that removes it. */
  add: (end: () => void) => () => void
  /** Ends all responses, at random moments within `durationMs`, so that their clients do not return all at once. */
  drain: (durationMs: number) => Promise<void>
}

/** The open responses that a shutdown must end, because it would wait for them as long as for the largest upload. */
export const createEndlessResponses = (): EndlessResponses => {
  const open = new Set<() => void>()
  return {
    add: (end) => {
      open.add(end)
      return () => open.delete(end)
    },
    drain: async (durationMs) => {
      const endLater = async (end: () => void): Promise<void> => {
        await sleep(Math.random() * durationMs)
        if (open.has(end)) end()
      }
      await Promise.all([...open].map(endLater))
    },
  }
}
