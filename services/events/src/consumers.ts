import type { Consumer } from '@confetti/messaging'
import { uploadDeletedConsumer, type UploadDeletedDeps } from './consumers/upload-deleted.ts'
import { uploadsCountedConsumer, type UploadsCountedDeps } from './consumers/uploads-counted.ts'
import { uploadsErasedConsumer, type UploadsErasedDeps } from './consumers/uploads-erased.ts'
import { userChangedConsumer, type UserChangedDeps } from './consumers/user-changed.ts'
import { userDeletedConsumer, type UserDeletedDeps } from './consumers/user-deleted.ts'
import { userRegisteredConsumer, type UserRegisteredDeps } from './consumers/user-registered.ts'

type Deps = UserRegisteredDeps &
  UserChangedDeps &
  UserDeletedDeps &
  UploadDeletedDeps &
  UploadsCountedDeps &
  UploadsErasedDeps

export const createConsumers = (deps: Deps): Consumer[] => [
  userRegisteredConsumer(deps),
  userChangedConsumer(deps),
  userDeletedConsumer(deps),
  uploadDeletedConsumer(deps),
  uploadsCountedConsumer(deps),
  uploadsErasedConsumer(deps),
]
