import { getEventSummary, getUser, serviceRoutes } from '@confetti/contracts'
import { startConsumers } from '@confetti/messaging'
import {
  callService,
  connectMongo,
  createHealth,
  createService,
  createServiceApp,
  createTextSigner,
  pingMongo,
  runPeriodically,
  type Host,
  type RunningService,
} from '@confetti/service-kit'
import type { Config } from './config.ts'
import { createConsumers } from './consumers.ts'
import { makeCopyEvent, makeCopyUser } from './domain/copy-records.ts'
import { makeDeliverMail } from './domain/deliver-mail.ts'
import { makeEnqueueAccountMail } from './domain/enqueue-account-mail.ts'
import { makeEnqueueMail } from './domain/enqueue-mail.ts'
import { makeEraseEvent, makeEraseUser } from './domain/erase.ts'
import { makeFindRecipients } from './domain/find-recipients.ts'
import { makeMarkAbandonedMails } from './domain/mark-abandoned-mails.ts'
import { makeNotifyAdmins, makeNotifySender } from './domain/notify-contact.ts'
import { makeRecordNewUpload } from './domain/record-new-upload.ts'
import { runDelivery } from './domain/run-delivery.ts'
import { makeSendDeletionNotices } from './domain/send-deletion-notices.ts'
import { makeSendDigests } from './domain/send-digests.ts'
import { makeSweep } from './domain/sweep.ts'
import { createUnsubscribeToken, makeUnsubscribe } from './domain/unsubscribe.ts'
import { createNotificationMetrics } from './metrics.ts'
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
  const enqueueMail = makeEnqueueMail({ mails, erasedIds, isMailOn, wakeDelivery: () => delivery?.wake() })
  const delivery =
    smtpUrl === undefined
      ? undefined
      : runDelivery(
          makeDeliverMail({
            mails,
            handOver: createSmtpHandOver({
              url: smtpUrl,
              from: config.MAIL_FROM,
              timeoutMs: config.SMTP_TIMEOUT_MS,
            }),
            clock,
            maxAttempts: config.MAIL_MAX_ATTEMPTS,
            retryDelayMs: config.MAIL_RETRY_DELAY_MS,
            metrics,
            logger,
          }),
          { concurrency: config.MAIL_CONCURRENCY, logger },
        )
  if (delivery) lifecycle.onStop('delivery', delivery.stop)

  const signer = createTextSigner(config.UNSUBSCRIBE_SECRET)
  const unsubscribeUrl = (eventId: string, userId: string): string => {
    const url = new URL('/api/notifications/unsubscribe', config.API_URL)
    url.searchParams.set('subscription', createUnsubscribeToken(signer, eventId, userId))
    return url.href
  }
  const copyEvent = makeCopyEvent({ events, erasedIds })
  const copyUser = makeCopyUser({ users, erasedIds })
  const findRecipients = makeFindRecipients({
    events,
    users,
    copyEvent,
    copyUser,
    erasedIds,
    fetchEvent: (eventId) => callService(config.EVENTS_URL, getEventSummary, { eventId }),
    fetchUser: (userId) => callService(config.AUTH_URL, getUser, { userId }),
  })
  const sendDigests = makeSendDigests({
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
  const sendDeletionNotices = makeSendDeletionNotices({
    events,
    findRecipients,
    enqueueMail,
    clock,
    site,
    logger,
  })
  const markAbandonedMails = makeMarkAbandonedMails({ mails, clock, metrics, logger })

  const runs = {
    digests: { work: sendDigests, intervalMs: config.CHECK_INTERVAL_MS },
    'deletion notices': { work: sendDeletionNotices, intervalMs: config.CHECK_INTERVAL_MS },
    'abandoned mails': { work: markAbandonedMails, intervalMs: config.CHECK_INTERVAL_MS },
    measuring: {
      work: async () => {
        const { waiting, oldest } = await mails.measure()
        metrics.measured({ waiting, oldestMail: oldest, oldestDigest: await digests.oldestDue() })
      },
      intervalMs: MEASURE_INTERVAL_MS,
    },
    sweep: {
      work: makeSweep({ mails, newUploads, erasedIds, clock, retentionMs: config.MAIL_RETENTION_MS, logger }),
      intervalMs: config.SWEEP_INTERVAL_MS,
    },
  }
  // Without mail, what is waiting is only swept.
  for (const [name, { work, intervalMs }] of Object.entries(runs))
    if (isMailOn || name === 'sweep')
      lifecycle.onStop(name, runPeriodically(work, { name, intervalMs, logger }))

  const consumers = createConsumers({
    copyUser,
    eraseUser: makeEraseUser({ erasedIds, users, mails, unsubscriptions }),
    enqueueAccountMail: makeEnqueueAccountMail({ enqueueMail, site, isMailOn, metrics, logger }),
    copyEvent,
    eraseEvent: makeEraseEvent({ erasedIds, events, newUploads, digests, mails, unsubscriptions }),
    recordNewUpload: makeRecordNewUpload({
      newUploads,
      digests,
      erasedIds,
      clock,
      intervalMs: config.DIGEST_INTERVAL_MS,
      retentionMs: config.MAIL_RETENTION_MS,
      isMailOn,
    }),
    notifyAdmins: makeNotifyAdmins({ users, enqueueMail, site, logger }),
    notifySender: makeNotifySender({ users, enqueueMail, site }),
  })
  startConsumers({ config, service: 'notifications', consumers, metrics: registry, logger, lifecycle })

  const health = createHealth({ mongo: pingMongo(connection) })
  const app = createServiceApp({
    routes: serviceRoutes.notifications,
    handlers: notificationRoutes({
      unsubscribe: makeUnsubscribe({ signer, unsubscriptions, erasedIds, mails }),
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
