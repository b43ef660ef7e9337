import type { Consumer } from '@confetti/messaging'
import { uploadCompletedConsumer, type UploadCompletedDeps } from './consumers/upload-completed.ts'
import { uploadDeletedConsumer, type UploadDeletedDeps } from './consumers/upload-deleted.ts'

export const createConsumers = (deps: UploadCompletedDeps & UploadDeletedDeps): Consumer[] => [
  uploadCompletedConsumer(deps),
  uploadDeletedConsumer(deps),
]
