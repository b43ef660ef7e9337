import { getFileKey, getSetting, NO_EVENT, openUnsentStore } from '@confetti/guest-storage'

/** Stores files for an event. Returns whether any of them is stored. */
const storeFiles = async (files: readonly File[], eventId: string): Promise<boolean> => {
  const store = await openUnsentStore(Date.now)
  let hasStored = false
  for (const file of files) {
    // Read once: Chrome has no time for shared files, and returns the current one each time.
    const { name, type, size, lastModified } = file
    const metadata = { name, type, size, lastModified }
    const key = getFileKey(eventId, metadata)
    await store.add({ key, eventId, ...metadata, storedAt: Date.now(), tabId: 'share-target' })
    if (await store.addBytes(key, file)) hasStored = true
    else await store.remove([key])
  }
  return hasStored
}

/**
 * Stores shared files, and redirects to the page of the event that was opened last, which has them in its list. Without
 * such an event the page asks for one, and the files wait for it.
 */
export const receiveShare = async (request: Request): Promise<Response> => {
  const page = new URL('/upload', request.url)
  try {
    const eventId = await getSetting('lastEventId')
    if (eventId) page.searchParams.set('eventId', eventId)
    const files = (await request.formData()).getAll('files').filter((value) => value instanceof File)
    if (await storeFiles(files, eventId ?? NO_EVENT)) page.searchParams.set('shared', '1')
  } catch {
    // The browser refuses its storage or it is full: the guest has to choose the files on the page.
  }
  return Response.redirect(page, 303)
}
