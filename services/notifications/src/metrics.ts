import type { Service } from '@confetti/service-kit'
import { Counter, Gauge } from 'prom-client'
import { mailKinds, type MailKind } from './mails/mail.ts'

const outcomes = ['sent', 'deferred', 'dead', 'unconfirmed'] as const
type Outcome = (typeof outcomes)[number]

export const createNotificationMetrics = ({ registry, clock }: Service) => {
  const registers = [registry]
  const mails = new Counter({
    name: 'notifications_mails_total',
    help: 'Attempts to send a mail, by kind and outcome: sent, deferred (retried later), dead (given up), or unconfirmed',
    labelNames: ['kind', 'outcome'] as const,
    registers,
  })
  // Starting at zero: Prometheus sees no increase in a series that starts at one.
  for (const kind of mailKinds) for (const outcome of outcomes) mails.inc({ kind, outcome }, 0)
  const waiting = new Gauge({
    name: 'notifications_mails_waiting',
    help: 'Mails that have not been sent yet, counted up to 10,000',
    registers,
  })
  let oldestMail: Date | undefined
  let oldestDigest: Date | undefined
  const ageOf = (since: Date | undefined): number =>
    since ? Math.max(0, clock().getTime() - since.getTime()) / 1_000 : 0
  new Gauge({
    name: 'notifications_oldest_mail_age_seconds',
    help: 'Age of the oldest mail that has not been sent yet',
    registers,
    collect() {
      this.set(ageOf(oldestMail))
    },
  })
  new Gauge({
    name: 'notifications_digest_delay_seconds',
    help: 'How long the digest that has waited longest is overdue',
    registers,
    collect() {
      this.set(ageOf(oldestDigest))
    },
  })
  return {
    attempted: (kind: MailKind, outcome: Outcome): void => mails.inc({ kind, outcome }),
    measured: (values: { waiting: number; oldestMail: Date | undefined; oldestDigest: Date | undefined }) => {
      waiting.set(values.waiting)
      oldestMail = values.oldestMail
      oldestDigest = values.oldestDigest
    },
  }
}
export type NotificationMetrics = ReturnType<typeof createNotificationMetrics>
