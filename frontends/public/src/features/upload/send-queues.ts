import { guardUnload } from './guard-unload.ts'
import { keepScreenOn } from './keep-screen-on.ts'
import { createSendFile } from './send-file.ts'
import { createSendQueue, type SendQueue } from './send-queue.ts'
import { wait } from './wait.ts'

// Outside of all components, so that sending continues when the guest opens another page of the site.
const queues = new Map<string, SendQueue>()

const resumeAll = (): void => {
  for (const queue of queues.values()) queue.resume()
}

const addResumeListeners = (): void => {
  window.addEventListener('online', resumeAll)
  // Timers stop on a locked phone. After unlocking, the pause ends at once.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') resumeAll()
  })
}

let guards: readonly (() => void)[] | undefined

/** While any queue is sending, the page stays open and the screen on, whatever page of the site is shown. */
const updateGuards = (): void => {
  const isSending = [...queues.values()].some((queue) => queue.isSending())
  if (isSending) guards ??= [guardUnload(), keepScreenOn()]
  else {
    for (const endGuard of guards ?? []) endGuard()
    guards = undefined
  }
}

const createQueue = (eventId: string): SendQueue => {
  const queue = createSendQueue({
    send: createSendFile(eventId),
    wait,
    now: Date.now,
    random: Math.random,
    isOnline: () => navigator.onLine,
    nextFrame: (draw) => requestAnimationFrame(draw),
  })
  queue.subscribe(updateGuards)
  return queue
}

/** Returns the page's queue for an event. It is created at the first call. */
export const getSendQueue = (eventId: string): SendQueue => {
  if (queues.size === 0) addResumeListeners()
  const queue = queues.get(eventId) ?? createQueue(eventId)
  queues.set(eventId, queue)
  return queue
}

/** Returns the page's queues by the ids of their events. */
export const getSendQueues = (): ReadonlyMap<string, SendQueue> => queues
