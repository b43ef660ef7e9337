// Together, so that who has sent all on a bad connection does not wait for the thanks.
export { ThankYou } from './thank-you.tsx'
export { Upload } from './upload.tsx'
