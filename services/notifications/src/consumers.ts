import type { Consumer } from '@confetti/messaging'
import { contactReceivedConsumer, type ContactReceivedDeps } from './consumers/contact-received.ts'
import { contactRepliedConsumer, type ContactRepliedDeps } from './consumers/contact-replied.ts'
import { eventChangedConsumer } from './consumers/event-changed.ts'
import { eventCreatedConsumer, type CopyEventDeps } from './consumers/event-created.ts'
import { eventDeletedConsumer, type EventDeletedDeps } from './consumers/event-deleted.ts'
import { uploadCompletedConsumer, type UploadCompletedDeps } from './consumers/upload-completed.ts'
import { userChangedConsumer } from './consumers/user-changed.ts'
import { userDeletedConsumer, type UserDeletedDeps } from './consumers/user-deleted.ts'
import { userMailRequestedConsumer, type UserMailRequestedDeps } from './consumers/user-mail-requested.ts'
import { userRegisteredConsumer, type CopyUserDeps } from './consumers/user-registered.ts'

type Deps = CopyUserDeps &
  UserDeletedDeps &
  UserMailRequestedDeps &
  CopyEventDeps &
  EventDeletedDeps &
  UploadCompletedDeps &
  ContactReceivedDeps &
  ContactRepliedDeps

export const createConsumers = (deps: Deps): Consumer[] => [
  userRegisteredConsumer(deps),
  userChangedConsumer(deps),
  userDeletedConsumer(deps),
  userMailRequestedConsumer(deps),
  eventCreatedConsumer(deps),
  eventChangedConsumer(deps),
  eventDeletedConsumer(deps),
  uploadCompletedConsumer(deps),
  contactReceivedConsumer(deps),
  contactRepliedConsumer(deps),
]
