import { guardUnload } from './guard-unload.ts'
import { keepScreenOn } from './keep-screen-on.ts'
import { loadUploadCode } from './load-upload-code.ts'
import { createSendFile } from './send-file.ts'
import { createSendQueue, type QueueState, type SendQueue } from './send-queue.ts'
import { rememberSentTo } from './sent-events.ts'
import { syncAfterClose } from './sync-after-close.ts'
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

/** Remembered now, because the service worker, which may send the rest, has no local storage. */
const rememberSending = (): void => {
  for (const [eventId, queue] of queues) if (queue.isSending()) rememberSentTo(eventId)
}

let guards: readonly (() => void)[] | undefined

/**
 * While any queue is sending, the page stays open and the screen on, whatever page of the site is shown. If the page is
 * closed nevertheless, the service worker sends what is left.
 */
const updateGuards = (): void => {
  const isSending = [...queues.values()].some((queue) => queue.isSending())
  if (isSending) guards ??= [guardUnload(), keepScreenOn(), syncAfterClose(rememberSending)]
  else {
    for (const endGuard of guards ?? []) endGuard()
    guards = undefined
  }
}

/** Keeps the files that are not sent yet for the next visit, in case this one ends early. */
const trackUnsentFiles = (eventId: string, queue: SendQueue): void => {
  let track: ((state: QueueState) => void) | undefined
  let isLoading = false
  queue.subscribe(() => {
    track?.(queue.getState())
    if (track || isLoading || queue.getState().files.length === 0) return
    isLoading = true
    void loadUploadCode().then((sending) => {
      track = sending?.createUnsentFilesTracker(eventId, sending.getUnsentFiles(eventId))
      track?.(queue.getState())
      isLoading = false
    })
  })
}

/** Remembers that files were sent to the event, for "Your photos" on later visits. */
const trackSent = (eventId: string, queue: SendQueue): void => {
  let isRemembered = false
  queue.subscribe(() => {
    if (isRemembered || !queue.getState().files.some(({ status }) => status === 'sent')) return
    isRemembered = true
    rememberSentTo(eventId)
  })
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
  trackUnsentFiles(eventId, queue)
  trackSent(eventId, queue)
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
