import type { Consumer } from '@confetti/messaging'
import { uploadCompletedConsumer } from './consumers/upload-completed.ts'
import { uploadDeletedConsumer } from './consumers/upload-deleted.ts'

type Deps = Parameters<typeof uploadCompletedConsumer>[0] & Parameters<typeof uploadDeletedConsumer>[0]

export const createConsumers = (deps: Deps): Consumer[] => [
  uploadCompletedConsumer(deps),
  uploadDeletedConsumer(deps),
]
