import type { HandOver } from '@confetti/notifications/mails/mail'
import type { Scheduler } from './scheduler.ts'

/** A mail server, which delivers what it has taken, and says so to whoever still listens. */
export const createMailServer = ({ turn }: Scheduler, isGone: () => boolean) => {
  /** How often each mail was delivered, by what has caused it. */
  const delivered = new Map<string, number>()
  const handOver: HandOver = async ({ cause }, mayStart) => {
    await turn('mail server: connect')
    if (isGone()) return { outcome: 'unavailable', reason: 'The mail server is gone' }
    if (!(await mayStart())) return { outcome: 'cancelled' }
    await turn('mail server: data')
    if (isGone()) return { outcome: 'unconfirmed', reason: 'The mail server is gone' }
    delivered.set(cause, (delivered.get(cause) ?? 0) + 1)
    await turn('mail server: accepted')
    return isGone() ? { outcome: 'unconfirmed', reason: 'The mail server is gone' } : { outcome: 'sent' }
  }
  return { delivered, handOver }
}
export type MailServer = ReturnType<typeof createMailServer>
