// One chunk, which is loaded when the first file is sent, or when the browser has unsent files.
export { sendDirectly } from './direct/send-directly.ts'
export { createUnsentFilesTracker } from './unsent/track-unsent-files.ts'
export { getUnsentFiles } from './unsent/unsent-files.ts'
