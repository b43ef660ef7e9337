import { defineConsumer, newMessage, startConsumers, type Connections } from '@confetti/messaging'
import { createErasedIds, keepEventCopies, keepUserCopies, type Service } from '@confetti/service-kit'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { createDigests } from './digests/digests.ts'
import { createErasure } from './erasure.ts'
import { startDelivery } from './mails/delivery.ts'
import { createEnqueueMail, type HandOver } from './mails/mail.ts'
import { createNotificationMetrics } from './metrics.ts'
import { createAccountMails, createOrganiserInvitations } from './notices/account-mails.ts'
import { createContactMails } from './notices/contact-mails.ts'
import { createDeletionNotices } from './notices/deletion-notices.ts'
import { createRecipients } from './recipients/recipients.ts'
import { createDigestStore, createNewUploadStore, createUnsubscriptionStore } from './storage/digest-store.ts'
import { createEventStore } from './storage/event-store.ts'
import { createMailStore } from './storage/mail-store.ts'
import { createUserStore } from './storage/user-store.ts'

const MEASURE_INTERVAL_MS = 10_000

/** What the service is connected to. */
interface NotificationConnections extends Connections {
  /** Hands a mail over to the mail server. Absent: mail is off. */
  handOver: HandOver | undefined
}

/** Creates what the service can do, and starts its consumers, its delivery and its sweeps. */
export const createCapabilities = async (
  service: Service<Config>,
  { database, handOver, broker }: NotificationConnections,
) => {
  const { config, clock, lifecycle, runEvery } = service
  const mails = await createMailStore(database, clock)
  const erasedIds = await createErasedIds(database, clock)
  const isMailOn = handOver !== undefined
  const deps: Deps = {
    ...service,
    mails,
    users: await createUserStore(database),
    events: await createEventStore(database, erasedIds),
    newUploads: await createNewUploadStore(database, clock),
    digests: await createDigestStore(database, clock),
    unsubscriptions: await createUnsubscriptionStore(database),
    erasedIds,
    isMailOn,
    // The delivery is started below, as it needs the store.
    enqueueMail: createEnqueueMail({ mails, erasedIds, isMailOn }, () => delivery?.wake()),
    site: { brand: config.BRAND, shellUrl: config.SHELL_URL },
    metrics: createNotificationMetrics(service),
  }
  const delivery = handOver && startDelivery(deps, handOver)
  const recipients = createRecipients(deps)
  const digests = createDigests(deps, recipients)
  const erasure = createErasure(deps)

  // Without mail, what is waiting is only swept.
  runEvery(config.SWEEP_INTERVAL_MS, 'sweep', erasure.sweep)
  if (delivery) {
    lifecycle.onStop('delivery', delivery.stop)
    const { CHECK_INTERVAL_MS: checkIntervalMs } = config
    runEvery(checkIntervalMs, 'digests', digests.send)
    runEvery(checkIntervalMs, 'deletion notices', createDeletionNotices(deps, recipients))
    runEvery(checkIntervalMs, 'abandoned mails', delivery.markAbandoned)
    runEvery(MEASURE_INTERVAL_MS, 'measuring', async () => {
      const { waiting, oldest } = await deps.mails.measure()
      const oldestDigest = await deps.digests.oldestDue()
      deps.metrics.measured({ waiting, oldestMail: oldest, oldestDigest })
    })
  }
  keepEventCopies(service, database, deps.events.save)
  keepUserCopies(service, database, ({ revision, ...user }) => recipients.copyUser(user, revision))
  const enqueueAccountMail = createAccountMails(deps)
  const inviteOrganiser = createOrganiserInvitations(deps)
  const contactMails = createContactMails(deps)
  const { publish } = startConsumers(service, {
    publishes: ['event.erased.v1', 'user.erased.v1'],
    consumers: [
      defineConsumer('notifications.user-registered', ({ data }) =>
        recipients.copyUser({ ...data, active: true }),
      ),
      defineConsumer('notifications.user-changed', ({ data: { revision, ...user } }) =>
        recipients.copyUser(user, revision),
      ),
      defineConsumer('notifications.user-deleted', async ({ data }) => {
        await erasure.eraseUser(data)
        await publish(newMessage('user.erased.v1', { userId: data._id, service: 'notifications' }))
      }),
      defineConsumer('notifications.user-mail-requested', ({ id, data }) => enqueueAccountMail(id, data)),
      defineConsumer('notifications.event-created', ({ data }) => deps.events.save(data)),
      defineConsumer('notifications.event-changed', ({ data }) => deps.events.save(data)),
      defineConsumer('notifications.event-deleted', async ({ data: { _id: eventId } }) => {
        await erasure.eraseEvent(eventId)
        await publish(newMessage('event.erased.v1', { eventId, service: 'notifications' }))
      }),
      defineConsumer('notifications.organiser-invited', ({ data }) => inviteOrganiser(data)),
      // Digests can wait: a burst must not compete with the uploads themselves.
      defineConsumer('notifications.upload-completed', ({ data }) => digests.record(data), { prefetch: 4 }),
      defineConsumer('notifications.contact-received', ({ data }) => contactMails.notifyAdmins(data)),
      defineConsumer('notifications.contact-replied', ({ data }) => contactMails.notifySender(data)),
    ],
    broker,
  })
  return { deps, digests }
}
