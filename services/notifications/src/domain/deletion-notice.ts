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
