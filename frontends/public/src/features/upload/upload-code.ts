// One chunk, which is loaded when the first file is chosen, or when the browser has unsent files.
export { requestBackgroundSync, untilTabCloses } from '@confetti/guest-storage'
export { tryDirectUpload } from './direct/try-direct-upload.ts'
export { keepScreenOn } from './keep-screen-on.ts'
export { drawPreview } from './preview-queue.ts'
export { examineFile, examineFiles } from './recognise-types.ts'
export { createUnsentFilesTracker } from './unsent/unsent-files.ts'
export { storeForServiceWorker } from './unsent/unsent-files.ts'
export { getUnsentFiles } from './unsent/unsent-files.ts'
