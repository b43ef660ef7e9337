import type { ErasedIds, Service } from '@confetti/service-kit'
import type { UserStore } from './accounts/user.ts'
import type { AuditStore } from './audit/audit.ts'
import type { Config } from './config.ts'
import type { AttemptLimits } from './limits.ts'
import type { AccountLinks } from './passwords/account-links.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'
import type { SessionStore } from './sessions/session.ts'
import type { KnownAddressStore } from './sessions/sign-in-throttle.ts'
import type { SigningKeys } from './sessions/signing-keys.ts'

/** What the capabilities of this service work with; each takes what it needs. `capabilities.ts` makes it once. */
export interface Deps extends Service<Config> {
  users: UserStore
  sessionStore: SessionStore
  knownAddressStore: KnownAddressStore
  auditStore: AuditStore
  erasedIds: ErasedIds
  keys: SigningKeys
  passwordHasher: PasswordHasher
  links: AccountLinks
  limits: AttemptLimits
}
