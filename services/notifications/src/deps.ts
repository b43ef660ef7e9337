import type { ErasedIds, Service } from '@confetti/service-kit'
import type { Config } from './config.ts'
import type { DigestStore, NewUploadStore, UnsubscriptionStore } from './digests/digests.ts'
import type { EnqueueMail, MailStore } from './mails/mail.ts'
import type { NotificationMetrics } from './metrics.ts'
import type { EventStore, UserStore } from './recipients/recipients.ts'
import type { Site } from './templates/layout.ts'

/** What the capabilities of this service work with; each takes what it needs. `capabilities.ts` makes it once. */
export interface Deps extends Service<Config> {
  mails: MailStore
  users: UserStore
  events: EventStore
  newUploads: NewUploadStore
  digests: DigestStore
  unsubscriptions: UnsubscriptionStore
  erasedIds: ErasedIds
  /** Whether there is a mail server. While mail is off, mails are neither stored nor sent. */
  isMailOn: boolean
  enqueueMail: EnqueueMail
  /** What mails say of the system. */
  site: Site
  metrics: NotificationMetrics
}
