import { defineConsumer, newMessage, startMessaging, type Connections } from '@confetti/messaging'
import { createErasedIds, type Service } from '@confetti/service-kit'
import { createAccounts } from './accounts/accounts.ts'
import { createErasures } from './accounts/erasures.ts'
import { createAudit } from './audit/audit.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { createAccountLinks } from './passwords/account-links.ts'
import { createPasswords } from './passwords/passwords.ts'
import { createSessions } from './sessions/sessions.ts'
import { createKnownAddresses, createSignInThrottle } from './sessions/sign-in-throttle.ts'
import { createAuditStore } from './storage/audit-store.ts'
import { createKnownAddressStore, createSessionStore } from './storage/session-store.ts'
import { createUserModel } from './storage/user-model.ts'
import { createUserStore } from './storage/user-store.ts'

const ERASURES_INTERVAL_MS = 60_000

/** What the service is connected to. */
type AuthConnections = Connections & Pick<Deps, 'keys' | 'limits' | 'passwordHasher'>

/** Creates the capabilities of the service, and starts its consumer, its outbox relay and its sweep. */
export const createCapabilities = async (
  service: Service<Config>,
  { database, broker, ...connections }: AuthConnections,
) => {
  const { config, clock } = service
  const userModel = createUserModel(database)
  await userModel.createIndexes()
  const deps: Deps = {
    ...service,
    ...connections,
    // The relay is created below, as its consumer needs the audit log.
    users: createUserStore(userModel, { wakeRelay: () => relay.wakeRelay(), clock }),
    sessionStore: await createSessionStore(database),
    knownAddressStore: await createKnownAddressStore(database),
    auditStore: await createAuditStore(database),
    erasedIds: await createErasedIds(database, clock),
    links: createAccountLinks(config),
  }
  const audit = createAudit(deps)
  const erasures = createErasures(deps)
  const relay = startMessaging(service, {
    publishes: [
      'user.registered.v1',
      'user.changed.v1',
      'user.deleted.v1',
      'user.mail-requested.v1',
      'event.erased.v1',
      'audit.recorded.v1',
    ],
    consumers: [
      defineConsumer('auth.audit-recorded', ({ data }) => audit.record(data)),
      defineConsumer('auth.event-deleted', async ({ data: { _id: eventId } }) => {
        await audit.erase(eventId)
        await relay.publish(newMessage('event.erased.v1', { eventId, service: 'auth' }))
      }),
      defineConsumer('auth.user-erased', ({ data }) => erasures.confirm(data.userId, data.service)),
    ],
    model: userModel,
    broker,
  })

  const knownAddresses = createKnownAddresses(deps)
  const throttle = createSignInThrottle(deps.limits, knownAddresses.isKnown)
  const sessions = createSessions(deps, { knownAddresses, throttle })
  const passwords = createPasswords(deps, { sessions, throttle })
  const accounts = createAccounts(deps)
  // Each for itself: one that always fails must not keep the others from their work.
  const sweepIntervalMs = config.SESSION_SWEEP_SECONDS * 1_000
  service.runEvery(sweepIntervalMs, 'session sweep', sessions.sweep)
  service.runEvery(sweepIntervalMs, 'sweep of erased accounts', accounts.sweepErased)
  service.runEvery(sweepIntervalMs, 'audit sweep', audit.sweep)
  service.runEvery(ERASURES_INTERVAL_MS, 'erasures', erasures.repeat)
  return { deps, audit, sessions, passwords, accounts }
}
export type Capabilities = Awaited<ReturnType<typeof createCapabilities>>
