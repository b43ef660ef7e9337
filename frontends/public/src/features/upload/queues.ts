import { makeSendQueue, type SendQueue } from './send-queue.ts'
import { makeSendFile } from './send-file.ts'

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

// Outside of all components: another page of the site does not stop what is being sent.
const queues = new Map<string, SendQueue>()

const wakeAll = (): void => {
  for (const queue of queues.values()) queue.wake()
}

const listen = (): void => {
  window.addEventListener('online', wakeAll)
  // A locked phone stops the clocks; unlocked, it need not wait for them.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wakeAll()
  })
}

/** The page's queue for an event. */
export const queueOf = (eventId: string): SendQueue => {
  if (queues.size === 0) listen()
  const queue =
    queues.get(eventId) ??
    makeSendQueue({
      send: makeSendFile(eventId),
      wait,
      now: Date.now,
      random: Math.random,
      nextFrame: (draw) => requestAnimationFrame(draw),
    })
  queues.set(eventId, queue)
  return queue
}
