import pLimit from 'p-limit'

/** Runs tasks with limited concurrency. */
export interface TaskQueue {
  /** Adds a task. Tasks with the same key run one after the other, in the order in which they were added. */
  add: (key: string, task: () => Promise<void>) => void
  /** Resolves when all tasks added so far are done. */
  onIdle: () => Promise<void>
}

export const createTaskQueue = (concurrency: number): TaskQueue => {
  const limit = pLimit(concurrency)
  /** The last task of each key. */
  const inFlight = new Map<string, Promise<void>>()
  return {
    add: (key, task) => {
      const previous = inFlight.get(key)
      // It does not take a slot while it waits.
      const running = (previous ? previous.then(() => limit(task)) : limit(task)).finally(() => {
        if (inFlight.get(key) === running) inFlight.delete(key)
      })
      inFlight.set(key, running)
    },
    onIdle: async () => {
      await Promise.all(inFlight.values())
    },
  }
}
