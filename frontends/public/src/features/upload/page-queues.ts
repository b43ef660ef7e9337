import { ApiError, eventPasses, sendForm, wait } from '@confetti/api-client'
import { site } from '@confetti/session'
import { PageError } from '@confetti/ui/failure-text'
import { getText } from '../../texts.ts'
import { isReadable } from './file-validation.ts'
import type { ExaminedFile } from './recognise-types.ts'
import { CONSENT_REQUIRED } from './selected-files.ts'
import { createSendQueue, type QueueState, type SendOptions, type SendQueue } from './send-queue.ts'
import { readConsent, rememberConsent, rememberSentTo } from './upload-history.ts'

/** Loads the code of previews, direct uploads and unsent files, which a guest's first visit does not download. */
export const loadUploadCode = () =>
  // Without it, files are sent by multipart, and not kept.
  import(/* webpackChunkName: 'upload-code' */ './upload-code.ts').catch(() => undefined)

/**
 * As soon as there is a service worker, loads the code, which the worker stores, so that the guest can choose files
 * without a network later. Gives the worker what it needs to receive and send files for the event.
 */
export const prepareServiceWorker = (eventId: string, uploadsOpen: boolean): void => {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.ready
    .then(loadUploadCode)
    .then((uploadCode) => uploadCode?.storeForServiceWorker(eventId, uploadsOpen))
    // The browser refuses its database.
    .catch(() => undefined)
}

/** Examines the first bytes of files. Without the upload code, their types and extensions decide. */
export const examineFiles = async (files: readonly File[]): Promise<readonly ExaminedFile[]> =>
  (await (await loadUploadCode())?.examineFiles(files)) ?? files.map((file) => ({ file }))

const handleBeforeUnload = (event: BeforeUnloadEvent): void => {
  event.preventDefault()
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- Chrome before 119 ignores preventDefault.
  event.returnValue = true
}

/**
 * Lets the browser ask for confirmation before the page is closed or reloaded. The shell asks for the same event before
 * it reloads the page. Returns a function that ends it.
 */
const guardUnload = (): (() => void) => {
  window.addEventListener('beforeunload', handleBeforeUnload)
  return () => window.removeEventListener('beforeunload', handleBeforeUnload)
}

/** Keeps the screen on as soon as the code for it is loaded. Returns a function that ends it. */
const keepScreenOn = (): (() => void) => {
  const keeping = loadUploadCode().then((uploadCode) => uploadCode?.keepScreenOn())
  return () => void keeping.then((end) => end?.())
}

const requestSync = (): void => {
  loadUploadCode()
    .then((uploadCode) => uploadCode?.requestBackgroundSync())
    // The next visit sends the files.
    .catch(() => undefined)
}

/**
 * Lets the service worker send what is left when the page is closed, where the browser can do that. A sync that finds
 * the page open fails, and the browser does not repeat that for long, so it is requested again whenever the page is
 * hidden. `onHidden` is called then. Returns a function that ends it.
 */
const syncAfterClose = (onHidden: () => void): (() => void) => {
  const handleVisibility = (): void => {
    if (document.visibilityState === 'visible') return
    requestSync()
    onHidden()
  }
  requestSync()
  document.addEventListener('visibilitychange', handleVisibility)
  return () => document.removeEventListener('visibilitychange', handleVisibility)
}

const STALL_TIMEOUT_MS = 45_000
// Much longer, because a slow line or a proxy may still buffer bytes that have left the phone.
const RESPONSE_TIMEOUT_MS = 180_000

/** Posts one file as a multipart form, and rejects with the server's error for it. */
const uploadMultipart = async (
  eventId: string,
  file: File,
  { credit, timestamp, signal, onProgress }: SendOptions,
): Promise<void> => {
  const form = new FormData()
  form.append('eventId', eventId)
  form.append('photoCredit', credit)
  const consentVersion = readConsent(eventId)
  if (consentVersion) form.append('consentVersion', consentVersion)
  form.append('lastModified', String(file.lastModified))
  // The file is last, so that the server has the other fields before its bytes.
  form.append('media', file, file.name)
  const { rejected } = await sendForm({
    baseUrl: site().apiUrl,
    path: '/api/uploads',
    form,
    // The same for the whole batch: browsers cache preflights by URL, so that 200 files need one.
    timestamp,
    stallTimeoutMs: STALL_TIMEOUT_MS,
    responseTimeoutMs: RESPONSE_TIMEOUT_MS,
    signal,
    onProgress: (sentBytes, totalBytes) =>
      onProgress(totalBytes > 0 ? (file.size * sentBytes) / totalBytes : 0),
  })
  if (rejected[0]) throw new ApiError(400, rejected[0])
}

/** Uploads one file straight to blob storage, or by multipart where that is not possible. Rejects with the server's error for it. */
const uploadFile = async (eventId: string, file: File, options: SendOptions): Promise<void> => {
  try {
    const uploadCode = await loadUploadCode()
    // Again, because sending may begin before all files that were chosen are examined.
    const examined = await uploadCode?.examineFile(file)
    if (examined?.error) throw examined.error
    const outcome = await uploadCode?.tryDirectUpload(eventId, file, options)
    if (outcome === 'sent') return
    if (options.closedError) throw options.closedError
    await uploadMultipart(eventId, file, options)
  } catch (error) {
    if (error instanceof ApiError && error.code === CONSENT_REQUIRED) rememberConsent(eventId, undefined)
    if (error instanceof ApiError && error.status === 0 && !(await isReadable(file)))
      throw new PageError(() => getText('upload.file.unreadable'), { cause: error })
    throw error
  }
}

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
  eventPasses.subscribe(() => {
    for (const [eventId, queue] of queues) if (!eventPasses.getRefusal(eventId)) queue.resume()
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
    void loadUploadCode().then((uploadCode) => {
      track = uploadCode?.createUnsentFilesTracker(eventId, uploadCode.getUnsentFiles(eventId))
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
    send: (file, options) => uploadFile(eventId, file, options),
    wait,
    now: Date.now,
    random: Math.random,
    isOnline: () => navigator.onLine,
    needsPin: () => eventPasses.getRefusal(eventId) !== undefined,
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
