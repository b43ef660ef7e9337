/** Loads the code of direct uploads and unsent files, which a guest's first visit does not download. */
export const loadSending = () =>
  // Without it, files are sent by multipart.
  import('./sending.ts').catch(() => undefined)
