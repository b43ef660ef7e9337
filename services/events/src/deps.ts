import type { ErasedIds, Service } from '@confetti/service-kit'
import type { UserStore } from './accounts/accounts.ts'
import type { Config } from './config.ts'
import type { EventStore } from './event.ts'
import type { DueCheckStore } from './storage/due-check-store.ts'

/** What the capabilities of this service work with; each takes what it needs. `capabilities.ts` makes it once. */
export interface Deps extends Service<Config> {
  events: EventStore
  dueChecks: DueCheckStore
  users: UserStore
  erasedIds: ErasedIds
}
