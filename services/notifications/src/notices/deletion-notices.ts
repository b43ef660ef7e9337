import { throwIfAny, tryEach } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import { renderDeletionNotice } from '../templates/event-mails.ts'
import { getTexts } from '../templates/texts.ts'
import type { DueEvent, Recipients } from '../recipients/recipients.ts'

const DAY_MS = 24 * 3_600_000

/** How long before the deletion of an event its organisers are notified, in days. */
const NOTICE_DAYS = [14, 3] as const

const daysBefore = (time: Date, days: number): Date => new Date(time.getTime() - days * DAY_MS)

export const firstNoticeAt = (deleteAt: Date): Date => daysBefore(deleteAt, NOTICE_DAYS[0])

/** When the next notice after `now` is due. */
export const nextNoticeAt = (deleteAt: Date, now: Date): Date | undefined =>
  NOTICE_DAYS.map((days) => daysBefore(deleteAt, days)).find((at) => at > now)

/** How many days are left, as people count them: 13 days and 20 hours are 14. */
export const daysLeft = (deleteAt: Date, now: Date): number =>
  Math.max(1, Math.round((deleteAt.getTime() - now.getTime()) / DAY_MS))

const BATCH_SIZE = 100
// Others follow in the next run.
const MAX_BATCHES = 10

/**
 * Notifies the organisers of events that are going to be deleted, 14 and 3 days before. An event that fails is tried again in
 * the next run, and does not delay the others.
 */
export const createDeletionNotices = (
  { events, enqueueMail, stopping, clock, site, logger }: Deps,
  { find: findRecipients }: Pick<Recipients, 'find'>,
) => {
  const sendNotice = async (due: DueEvent, now: Date): Promise<void> => {
    const { _id: eventId, deleteAt, noticeDueAt } = due
    const next = nextNoticeAt(deleteAt, now)
    const recipients = deleteAt > now ? await findRecipients(eventId) : undefined
    const errors = await tryEach(recipients?.organisers ?? [], ({ _id: userId, email, language }) =>
      enqueueMail({
        cause: `deletion-notice/${eventId}/${userId}/${deleteAt.toISOString()}/${next ? 'first' : 'last'}`,
        kind: 'deletion-notice',
        to: email,
        userId,
        eventId,
        expiresAt: deleteAt,
        content: renderDeletionNotice(
          { event: due, deleteAt, days: daysLeft(deleteAt, now) },
          site,
          getTexts(language),
        ),
      }),
    )
    throwIfAny(errors, 'some organisers were not notified')
    await events.setNextNotice({ ...due, noticeDueAt }, next)
  }

  return async (): Promise<void> => {
    const errors: unknown[] = []
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const now = clock()
      const due = await events.listDue(now, BATCH_SIZE)
      const failed = await tryEach(due, (event) => sendNotice(event, now), {
        stopping,
        onError: (error, { _id: eventId }) =>
          logger.warn({ err: error, eventId }, 'failed to prepare deletion notice, will retry'),
      })
      errors.push(...failed)
      if (due.length < BATCH_SIZE || stopping.aborted) break
    }
    throwIfAny(errors, 'some deletion notices were not prepared')
  }
}
