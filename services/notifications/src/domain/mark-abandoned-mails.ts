import type { Clock, Logger } from '@confetti/service-kit'
import type { NotificationMetrics } from '../metrics.ts'
import { LEASE_MS } from './deliver-mail.ts'
import type { MailStore } from './mail.ts'

interface Deps {
  mails: Pick<MailStore, 'markAbandoned'>
  clock: Clock
  metrics: Pick<NotificationMetrics, 'attempted'>
  logger: Logger
}

/** Marks mails as unconfirmed whose sender has died while it handed them over. */
export const makeMarkAbandonedMails =
  ({ mails, clock, metrics, logger }: Deps) =>
  async (): Promise<void> => {
    for (const kind of await mails.markAbandoned(new Date(clock().getTime() - LEASE_MS))) {
      metrics.attempted(kind, 'unconfirmed')
      logger.error({ kind, reason: 'abandoned' }, 'mail unconfirmed, will not retry')
    }
  }
