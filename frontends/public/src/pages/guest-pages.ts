// One chunk, so that guests on a slow connection have the thank-you page before they finish uploading.
export { ThankYou } from '../features/thank-you/thank-you.tsx'
export { Upload } from './upload.tsx'
