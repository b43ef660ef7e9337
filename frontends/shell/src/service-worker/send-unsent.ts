import type { ErrorBody } from '@confetti/contracts'
import {
  createTabId,
  findOpenTabs,
  getSetting,
  openUnsentStore,
  SEND_UNSENT_TAG,
  whileTabOpen,
  type ClaimedFile,
  type Rejection,
} from '@confetti/guest-storage'

declare const self: ServiceWorkerGlobalScope

/** The event of the Background Sync API, which TypeScript does not know. */
interface SyncEvent extends ExtendableEvent {
  tag: string
}

// Browsers end a sync after about three minutes.
const FILE_TIMEOUT_MS = 150_000
/** Statuses that do not say anything about the file. */
const RETRYABLE_STATUSES = [408, 429]
/** Statuses by which the server asks to wait, with all files. */
const BUSY_STATUSES = [429, 503]
/** The reason that a proxy does not give. */
const UNKNOWN_REFUSAL = { code: 'unknown', message: 'Something went wrong.' }

class ServerBusyError extends Error {}

type ResponseBody = ErrorBody & { rejected?: readonly ErrorBody[] }

/** Parses the API's JSON. Returns undefined for the page of a proxy, or of a Wi-Fi network. */
const readBody = (response: Response): Promise<ResponseBody | undefined> =>
  (response.json() as Promise<ResponseBody>).catch(() => undefined)

/** Returns why the server has refused a file. Rejects if the server may accept it later. */
const readRejection = async (response: Response): Promise<Rejection | undefined> => {
  const { status, ok } = response
  const message = `The server responded with status ${status}.`
  if (BUSY_STATUSES.includes(status)) throw new ServerBusyError(message)
  if (status >= 500 || RETRYABLE_STATUSES.includes(status)) throw new Error(message)
  const body = await readBody(response)
  if (ok && !body) throw new Error('The response is not from the API.')
  const rejected = ok ? body?.rejected?.[0] : (body ?? UNKNOWN_REFUSAL)
  return rejected && { status: ok ? 400 : status, code: rejected.code, message: rejected.message }
}

/** Returns the headers by which the API knows the guest, and lets them into an event with a PIN. */
const readGuestHeaders = async (eventId: string): Promise<Record<string, string>> => {
  const guestToken = await getSetting('guestToken')
  const passes = JSON.parse((await getSetting('eventPasses')) ?? '[]') as { eventId: string; pass: string }[]
  const found = passes.find((each) => each.eventId === eventId)
  return { ...(guestToken && { 'X-Guest-Token': guestToken }), ...(found && { 'X-Event-Pass': found.pass }) }
}

/** Sends a file as a multipart form. Returns why the server has refused it. */
const sendFile = async ({ record, bytes }: ClaimedFile): Promise<Rejection | undefined> => {
  const { eventId, credit = '', consentVersion, name, type, lastModified } = record
  const form = new FormData()
  form.append('eventId', eventId)
  form.append('photoCredit', credit)
  if (consentVersion) form.append('consentVersion', consentVersion)
  // Before its file, as the page does: the server sorts photos without a capture time by it.
  form.append('lastModified', String(lastModified))
  form.append('media', new File([bytes], name, { type, lastModified }), name)
  const apiUrl = await getSetting('apiUrl')
  const headers = await readGuestHeaders(eventId)
  if (apiUrl === undefined) throw new Error('No page has stored the address of the API.')
  // Chrome before 103 has no `AbortSignal.timeout`.
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), FILE_TIMEOUT_MS)
  try {
    const response = await fetch(`${apiUrl}/api/uploads`, {
      method: 'POST',
      body: form,
      headers,
      signal: controller.signal,
    })
    return await readRejection(response)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Sends the files that guests have started to send, as far as no open page has them. Stores why the server has refused a
 * file, for the next visit. A file that fails does not hold up the next one. Rejects if files are left, so that the browser
 * tries again.
 */
export const sendUnsentFiles = async (): Promise<void> => {
  const store = await openUnsentStore(Date.now)
  const tabId = createTabId()
  await whileTabOpen(tabId, async () => {
    // Without those that have failed, which belong to this run.
    const findTabs = async (): Promise<(id: string) => boolean> => {
      const isOpen = await findOpenTabs()
      return (id) => id === tabId || isOpen(id)
    }
    const claimNext = (): Promise<ClaimedFile | undefined> => store.claimStarted(tabId, findTabs)
    const sendNext = async (next: ClaimedFile): Promise<void> => {
      const { key } = next.record
      const rejection = await sendFile(next)
      if (rejection) await store.saveRejection(key, rejection)
      else await store.remove([key])
    }
    for (let next = await claimNext(); next; next = await claimNext())
      await sendNext(next).catch((error: unknown) => {
        if (error instanceof ServerBusyError) throw error
      })
  })
  if (await store.hasStarted()) throw new Error('There are files left to send.')
}

/** Sends unsent files when the browser has a network again, also after the page was closed. */
export const serveBackgroundSync = (): void => {
  self.addEventListener('sync' as keyof ServiceWorkerGlobalScopeEventMap, (event) => {
    const { tag } = event as SyncEvent
    if (tag === SEND_UNSENT_TAG) (event as SyncEvent).waitUntil(sendUnsentFiles())
  })
}
