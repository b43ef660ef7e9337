import type { Message } from '@confetti/messaging'
import type { Service } from '@confetti/service-kit'
import type { Config } from './config.ts'
import type { Events } from './events.ts'
import type { FormSlots } from './sending/form/form-slots.ts'
import type { GuestLimits } from './sending/guest-limits.ts'
import type { Slots } from './sending/slots.ts'
import type { Stores, UploadStore } from './storage/open-stores.ts'
import type { UploadBlobs } from './upload-blobs.ts'
import type { UploadMetrics } from './upload-metrics.ts'

/** What the capabilities of this service work with; each takes what it needs. `capabilities.ts` makes it once. */
export interface Deps extends Service<Config>, Stores {
  uploads: UploadStore
  blobs: UploadBlobs
  /** Finds events in their copies, or in the events service. */
  events: Events
  /** The memory for forms. */
  formSlots: FormSlots
  /** For the calls of guests who send straight to blob storage. */
  callSlots: Slots
  guestLimits: GuestLimits
  /** Publishes a message that belongs to no record; rejects unless the broker has confirmed it. */
  publish: (message: Message) => Promise<void>
  /** Runs work unless another replica is at work under this name; returns whether it ran. */
  runAlone: (name: string, work: () => Promise<void>) => Promise<boolean>
  metrics: UploadMetrics
}
