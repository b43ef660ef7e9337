export { Upload } from './upload.tsx'

/**
 * Loads the thank-you page. It is in the chunk that the upload page loads when files are chosen, so that guests on a slow
 * connection have it before they finish uploading.
 */
export const loadThankYou = async () =>
  (await import(/* webpackChunkName: 'upload-code' */ '../features/thank-you/thank-you.tsx')).ThankYou
