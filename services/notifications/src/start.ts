import { getUser, serviceRoutes } from '@confetti/contracts'
import { defineConsumer, startConsumers } from '@confetti/messaging'
import {
  callService,
  connectMongo,
  createHealth,
  createService,
  createServiceApp,
  createTextSigner,
  fetchEventCopy,
  pingMongo,
  runPeriodically,
  toEventCopy,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import type { Config } from './config.ts'
import { createRecordUpload, createSendDigests } from './digests/digests.ts'
import { createUnsubscribing } from './digests/unsubscribing.ts'
import { createEraseEvent, createEraseUser, createSweep } from './erasure.ts'
import { startDelivery } from './mails/delivery.ts'
import { createEnqueueMail } from './mails/mail.ts'
import { createNotificationMetrics } from './metrics.ts'
import { createAccountMails } from './notices/account-mails.ts'
import { createContactMails } from './notices/contact-mails.ts'
import { createDeletionNotices } from './notices/deletion-notices.ts'
import { createRecipients } from './recipients/recipients.ts'
import { notificationRoutes } from './routes.ts'
import { createSmtpHandOver } from './smtp/smtp-hand-over.ts'
import { openStores } from './storage/open-stores.ts'
import { getTexts } from './templates/texts.ts'
import { renderUnsubscribePage } from './templates/unsubscribe-page.ts'

const MEASURE_INTERVAL_MS = 10_000

/** Starts the service with its connections, and resolves when it listens. */
export const startNotifications = async (config: Config, host: Host): Promise<RunningService> => {
  const { logger, metrics: registry, lifecycle, listen } = await createService('notifications', config, host)
  const { clock } = host
  const connection = await connectMongo(config.MONGO_URL, logger)
  lifecycle.onClose('mongo', () => connection.close())
  const stores = await openStores(connection, clock)
  const { mails, users, events, erasedIds, newUploads, digests, unsubscriptions } = stores

  const metrics = createNotificationMetrics({ registry, clock })
  const site = { brand: config.BRAND, shellUrl: config.SHELL_URL }
  const smtpUrl = config.MAIL === 'off' ? undefined : config.SMTP_URL
  const isMailOn = smtpUrl !== undefined
  if (!isMailOn) logger.warn(`mail is off: ${config.MAIL === 'off' ? 'MAIL is off' : 'SMTP_URL is not set'}`)

  // The delivery is started below, as it needs the stores.
  const enqueueMail = createEnqueueMail({ mails, erasedIds, isMailOn, wakeDelivery: () => delivery?.wake() })
  const delivery =
    smtpUrl === undefined
      ? undefined
      : startDelivery({
          mails,
          handOver: createSmtpHandOver({
            url: smtpUrl,
            from: config.MAIL_FROM,
            timeoutMs: config.SMTP_TIMEOUT_MS,
          }),
          concurrency: config.MAIL_CONCURRENCY,
          clock,
          maxAttempts: config.MAIL_MAX_ATTEMPTS,
          retryDelayMs: config.MAIL_RETRY_DELAY_MS,
          metrics,
          logger,
        })
  if (delivery) lifecycle.onStop('delivery', delivery.stop)

  const recipients = createRecipients({
    events,
    users,
    erasedIds,
    fetchEvent: (eventId) => fetchEventCopy(config.EVENTS_URL, eventId),
    fetchUser: (userId) => callService(config.AUTH_URL, getUser, { userId }),
  })
  const findRecipients = recipients.find
  const unsubscribing = createUnsubscribing({
    signer: createTextSigner(config.UNSUBSCRIBE_SECRET),
    unsubscriptions,
    erasedIds,
    mails,
  })
  const unsubscribeUrl = (eventId: string, userId: string): string => {
    const url = new URL('/api/notifications/unsubscribe', config.API_URL)
    url.searchParams.set('subscription', unsubscribing.createToken(eventId, userId))
    return url.href
  }
  const sendDigests = createSendDigests({
    digests,
    newUploads,
    unsubscriptions,
    mails,
    findRecipients,
    enqueueMail,
    unsubscribeUrl,
    clock,
    intervalMs: config.DIGEST_INTERVAL_MS,
    site,
    logger,
  })
  const sendDeletionNotices = createDeletionNotices({
    events,
    findRecipients,
    enqueueMail,
    clock,
    site,
    logger,
  })

  const runs = {
    digests: { work: sendDigests, intervalMs: config.CHECK_INTERVAL_MS },
    'deletion notices': { work: sendDeletionNotices, intervalMs: config.CHECK_INTERVAL_MS },
    ...(delivery && {
      'abandoned mails': { work: delivery.markAbandoned, intervalMs: config.CHECK_INTERVAL_MS },
    }),
    measuring: {
      work: async () => {
        const { waiting, oldest } = await mails.measure()
        metrics.measured({ waiting, oldestMail: oldest, oldestDigest: await digests.oldestDue() })
      },
      intervalMs: MEASURE_INTERVAL_MS,
    },
    sweep: {
      work: createSweep({
        mails,
        newUploads,
        erasedIds,
        clock,
        retentionMs: config.MAIL_RETENTION_MS,
        logger,
      }),
      intervalMs: config.SWEEP_INTERVAL_MS,
    },
  }
  // Without mail, what is waiting is only swept.
  for (const [name, { work, intervalMs }] of Object.entries(runs))
    if (isMailOn || name === 'sweep')
      lifecycle.onStop(name, runPeriodically(work, { name, intervalMs, logger }))

  const eraseUser = createEraseUser({ erasedIds, users, mails, unsubscriptions })
  const eraseEvent = createEraseEvent({ events, newUploads, digests, mails, unsubscriptions })
  const enqueueAccountMail = createAccountMails({ enqueueMail, site, isMailOn, metrics, logger })
  const contactMails = createContactMails({ users, enqueueMail, site, logger })
  const recordUpload = createRecordUpload({
    newUploads,
    digests,
    erasedIds,
    clock,
    intervalMs: config.DIGEST_INTERVAL_MS,
    retentionMs: config.MAIL_RETENTION_MS,
    isMailOn,
  })
  const consumers = [
    defineConsumer('notifications.user-registered', ({ data }) =>
      recipients.copyUser({ ...data, active: true }),
    ),
    defineConsumer('notifications.user-changed', ({ data: { revision, ...user } }) =>
      recipients.copyUser(user, revision),
    ),
    defineConsumer('notifications.user-deleted', ({ data }) => eraseUser(data)),
    defineConsumer('notifications.user-mail-requested', ({ id, data }) => enqueueAccountMail(id, data)),
    defineConsumer('notifications.event-created', ({ data }) => events.save(toEventCopy(data))),
    defineConsumer('notifications.event-changed', ({ data }) => events.save(toEventCopy(data))),
    defineConsumer('notifications.event-deleted', ({ data }) => eraseEvent(data._id)),
    // Digests can wait: a burst must not compete with the uploads themselves.
    defineConsumer('notifications.upload-completed', ({ data }) => recordUpload(data), { prefetch: 4 }),
    defineConsumer('notifications.contact-received', ({ data }) => contactMails.notifyAdmins(data)),
    defineConsumer('notifications.contact-replied', ({ data }) => contactMails.notifySender(data)),
  ]
  startConsumers({ config, service: 'notifications', consumers, metrics: registry, logger, lifecycle })

  const health = createHealth({ mongo: pingMongo(connection) })
  const app = createServiceApp({
    routes: serviceRoutes.notifications,
    handlers: notificationRoutes({
      unsubscribe: unsubscribing.unsubscribe,
      renderUnsubscribePage: (languages) => renderUnsubscribePage(site, getTexts(...languages)),
    }),
    // None of its routes reads access tokens.
    verifyToken: () => Promise.resolve({ state: 'absent' }),
    maxJsonBytes: config.MAX_JSON_BYTES,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    logger,
    metrics: registry,
    health,
  })
  return listen(app, health)
}
