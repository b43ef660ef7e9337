import type { Consumer } from '@confetti/messaging'
import type { MediaTask } from './config.ts'
import { renditionRequestedConsumer, type RenditionRequestedDeps } from './consumers/rendition-requested.ts'
import { uploadCompletedConsumer, type UploadCompletedDeps } from './consumers/upload-completed.ts'
import { uploadDeletedConsumer, type UploadDeletedDeps } from './consumers/upload-deleted.ts'

/** The consumers of a worker with these tasks. */
export const createConsumers = (
  tasks: readonly MediaTask[],
  deps: UploadCompletedDeps & UploadDeletedDeps & RenditionRequestedDeps,
): Consumer[] => [
  ...(tasks.includes('previews') ? [uploadCompletedConsumer(deps), uploadDeletedConsumer(deps)] : []),
  // Where renditions are turned off, there may be no workers for them; uploads still requests those that are missing.
  ...(tasks.includes('renditions') || !deps.hasRenditions ? [renditionRequestedConsumer(deps)] : []),
]
