/** Loads the code of previews, direct uploads and unsent files, which a guest's first visit does not download. */
export const loadUploadCode = () =>
  // Without it, files are sent by multipart, and not kept.
  import(/* webpackChunkName: 'sending' */ './sending.ts').catch(() => undefined)

/**
 * As soon as there is a service worker, loads the code, which the worker stores, so that the guest can choose files
 * without a network later. Gives the worker what it needs to receive and send files for the event.
 */
export const prepareServiceWorker = (eventId: string, uploadsOpen: boolean): void => {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.ready
    .then(loadUploadCode)
    .then((sending) => sending?.shareWithServiceWorker(eventId, uploadsOpen))
    // The browser refuses its database.
    .catch(() => undefined)
}

/** Returns the files with the types of their first bytes, where these tell more than type and extension. */
export const recogniseTypes = async (files: readonly File[]): Promise<readonly File[]> =>
  (await (await loadUploadCode())?.recogniseTypes(files)) ?? files
