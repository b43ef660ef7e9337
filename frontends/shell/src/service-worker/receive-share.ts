import {
  findOpenTabs,
  getFileKey,
  getSetting,
  NO_EVENT,
  openUnsentStore,
  type UnsentStore,
} from '@confetti/guest-storage'

/** Stores a file for an event. Returns whether it is stored. */
const storeFile = async (store: UnsentStore, file: File, eventId: string): Promise<boolean> => {
  // Read once: Chrome has no time for shared files, and returns the current one each time.
  const { name, type, size, lastModified } = file
  const metadata = { name, type, size, lastModified }
  const key = getFileKey(eventId, metadata)
  await store.add({ key, eventId, ...metadata, storedAt: Date.now(), tabId: 'share-target' }, findOpenTabs)
  // Rejects if the disk is full, whatever the browser's quota is.
  const isStored = await store.addBytes(key, file).catch(() => false)
  if (!isStored) await store.remove([key], findOpenTabs)
  return isStored
}

/** Stores files for an event. Returns how many are stored: the browser may refuse its storage, or have no more room. */
const storeFiles = async (files: readonly File[], eventId: string): Promise<number> => {
  const store = await openUnsentStore(Date.now).catch(() => undefined)
  let count = 0
  for (const file of files)
    if (store && (await storeFile(store, file, eventId).catch(() => false))) count += 1
  return count
}

/**
 * Stores shared files, and redirects to the page of the event that was opened last, which has them in its list. Without
 * such an event the page asks for one, and the files wait for it. The page says how many could not be stored.
 */
export const receiveShare = async (request: Request): Promise<Response> => {
  const page = new URL('/upload', request.url)
  const eventId = (await getSetting('lastEventId').catch(() => undefined)) ?? NO_EVENT
  if (eventId !== NO_EVENT) page.searchParams.set('eventId', eventId)
  const form = await request.formData().catch(() => new FormData())
  const files = form.getAll('files').filter((value) => value instanceof File)
  const count = await storeFiles(files, eventId)
  if (count > 0) page.searchParams.set('shared', '1')
  if (count < files.length) page.searchParams.set('notShared', String(files.length - count))
  return Response.redirect(page, 303)
}
