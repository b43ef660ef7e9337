import type { Clock, Logger } from '@confetti/service-kit'
import { renderNewUploads } from '../templates/event-mails.ts'
import type { Site } from '../templates/layout.ts'
import { getTexts } from '../templates/texts.ts'
import type { EnqueueMail } from '../mails/enqueue-mail.ts'
import type { MailStore } from '../mails/mail.ts'
import type { FindRecipients } from '../recipients/recipients.ts'
import type { DigestStore, DueDigest, NewUploadStore, UnsubscriptionStore } from './stores.ts'

interface Deps {
  digests: Pick<DigestStore, 'leaseDue' | 'finish' | 'plan'>
  newUploads: Pick<NewUploadStore, 'assign' | 'count' | 'hasUnassigned'>
  unsubscriptions: Pick<UnsubscriptionStore, 'has'>
  mails: Pick<MailStore, 'listWaitingDigests' | 'removeWaiting'>
  findRecipients: FindRecipients
  enqueueMail: EnqueueMail
  unsubscribeUrl: (eventId: string, userId: string) => string
  clock: Clock
  intervalMs: number
  site: Site
  logger: Logger
}

const LEASE_MS = 60_000
// Others follow in the next run.
const MAX_DIGESTS = 200

const causeOf = ({ eventId, dueAt }: DueDigest, userId: string): string =>
  `new-uploads/${eventId}/${userId}/${dueAt.toISOString()}`

/**
 * Adds the mails of digests that are due: one to each organiser of an event, with the number of uploads since the last
 * one that was sent. A digest that fails is repeated when its lease has ended; each organiser gets it at most once.
 */
export const createSendDigests = ({
  digests,
  newUploads,
  unsubscriptions,
  mails,
  findRecipients,
  enqueueMail,
  unsubscribeUrl,
  clock,
  intervalMs,
  site,
  logger,
}: Deps) => {
  const sendDigest = async (digest: DueDigest): Promise<void> => {
    const { eventId, dueAt } = digest
    await newUploads.assign(digest)
    const { photos, videos } = await newUploads.count(eventId, dueAt, dueAt)
    const recipients = photos + videos > 0 ? await findRecipients(eventId) : undefined
    for (const { _id: userId, email, language } of recipients?.organisers ?? []) {
      if (await unsubscriptions.has(eventId, userId)) continue
      const cause = causeOf(digest, userId)
      // After an outage of the mail server, one mail replaces those that are still waiting.
      const waiting = (await mails.listWaitingDigests(eventId, userId)).filter(
        (other) => other.cause !== cause,
      )
      const countsFrom = new Date(
        Math.min(...[dueAt, ...waiting.map((other) => other.countsFrom)].map(Number)),
      )
      const counts = await newUploads.count(eventId, countsFrom, dueAt)
      await enqueueMail({
        cause,
        kind: 'new-uploads',
        to: email,
        userId,
        eventId,
        countsFrom,
        content: renderNewUploads(
          {
            event: recipients?.event ?? { _id: eventId },
            counts,
            unsubscribeUrl: unsubscribeUrl(eventId, userId),
          },
          site,
          getTexts(language),
        ),
      })
      for (const other of waiting) await mails.removeWaiting(other.cause)
    }
    await digests.finish(digest)
    // Uploads since `dueAt` have planned no digest, because this one was still planned.
    if (await newUploads.hasUnassigned(eventId))
      await digests.plan(eventId, new Date(clock().getTime() + intervalMs))
  }

  return async (): Promise<void> => {
    for (let count = 0; count < MAX_DIGESTS; count += 1) {
      const digest = await digests.leaseDue(LEASE_MS)
      if (!digest) return
      await sendDigest(digest).catch((error: unknown) =>
        logger.warn({ err: error, eventId: digest.eventId }, 'failed to prepare digest, will retry'),
      )
    }
  }
}
