// One chunk, which is loaded when the first file is chosen, or when the browser has unsent files.
export { requestBackgroundSync, untilTabCloses } from '@confetti/guest-storage'
export { sendDirectly } from './direct/send-directly.ts'
export { drawPreview } from './preview-queue.ts'
export { recogniseTypes } from './recognise-types.ts'
export { createUnsentFilesTracker } from './unsent/track-unsent-files.ts'
export { shareWithServiceWorker } from './unsent/share-with-service-worker.ts'
export { getUnsentFiles } from './unsent/unsent-files.ts'
