// The module alone, because the rest of the package loads the SDK of blob storage.
import { readTime } from '@confetti/blob-storage/upload-id'
import { createTextSigner, invalid, throwIfAny, tryEach } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import type { Recipients } from '../recipients/recipients.ts'
import { renderNewUploads } from '../templates/event-mails.ts'
import { getTexts } from '../templates/texts.ts'

/** A digest that has become due. */
interface DueDigest {
  eventId: string
  dueAt: Date
}

export interface UploadCounts {
  photos: number
  videos: number
}

export interface NewUploadStore {
  /** Returns false if the upload has been added before. */
  add: (upload: { _id: string; eventId: string; isVideo: boolean }) => Promise<boolean>
  /** Assigns the uploads that arrived until `dueAt` to this digest, unless another one has them. */
  assign: (digest: DueDigest) => Promise<void>
  /** Counts the uploads of the digests that became due from `from` through `to`. */
  count: (eventId: string, from: Date, to: Date) => Promise<UploadCounts>
  /** Whether an upload of the event belongs to no digest yet. */
  hasUnassigned: (eventId: string) => Promise<boolean>
  removeOfEvent: (eventId: string) => Promise<void>
  /** Removes at most `limit` uploads that were added before `before`; returns how many. */
  removeOlderThan: (before: Date, limit: number) => Promise<number>
}

/** At most one digest of each event is planned. */
export interface DigestStore {
  /** Plans the next digest of an event for `dueAt`, unless one is planned; returns when it is due. */
  plan: (eventId: string, dueAt: Date) => Promise<Date>
  /** Leases a due digest for `leaseMs`. */
  leaseDue: (leaseMs: number) => Promise<DueDigest | undefined>
  finish: (digest: DueDigest) => Promise<void>
  removeOfEvent: (eventId: string) => Promise<void>
  /** When the digest that has waited longest was due. */
  oldestDue: () => Promise<Date | undefined>
}

/** Who does not want digests of an event. */
export interface UnsubscriptionStore {
  add: (eventId: string, userId: string) => Promise<void>
  has: (eventId: string, userId: string) => Promise<boolean>
  removeOfUser: (userId: string) => Promise<void>
  removeOfEvent: (eventId: string) => Promise<void>
}

const MAX_PLANNED = 1_000
const RECHECK_MS = 1_000
// Longer than the clocks of two replicas differ.
const MIN_REMAINING_MS = 60_000
const LEASE_MS = 60_000
// Others follow in the next run.
const MAX_DIGESTS = 200

const causeOf = ({ eventId, dueAt }: DueDigest, userId: string): string =>
  `new-uploads/${eventId}/${userId}/${dueAt.toISOString()}`

// The secret may sign other texts one day.
const PURPOSE = 'unsubscribe'

/** Mails that report new uploads to the organisers of an event, unless they have ended them. */
export const createDigests = (
  {
    config,
    digests,
    newUploads,
    unsubscriptions,
    mails,
    erasedIds,
    enqueueMail,
    isMailOn,
    site,
    stopping,
    clock,
    logger,
  }: Deps,
  { find: findRecipients }: Pick<Recipients, 'find'>,
) => {
  // In a burst, a query for the digest of each upload would cost more than the rest.
  const planned = new Map<string, { dueAt: number; checkedAt: number }>()

  const plan = async (eventId: string): Promise<void> => {
    const now = clock().getTime()
    const known = planned.get(eventId)
    if (known && now - known.checkedAt < RECHECK_MS && known.dueAt - now > MIN_REMAINING_MS) return
    if (planned.size >= MAX_PLANNED) planned.clear()
    const dueAt = await digests.plan(eventId, new Date(now + config.DIGEST_INTERVAL_MS))
    planned.set(eventId, { dueAt: dueAt.getTime(), checkedAt: now })
  }

  const signer = createTextSigner(config.UNSUBSCRIBE_SECRET)
  /** The link with which an organiser ends the digests of an event. It does not expire, as mails do not. */
  const unsubscribeUrl = (eventId: string, userId: string): string => {
    const signature = signer.sign(`${PURPOSE}/${eventId}/${userId}`)
    const url = new URL('/api/notifications/unsubscribe', config.API_URL)
    url.searchParams.set('subscription', `${eventId}.${userId}.${signature}`)
    return url.href
  }

  const sendDigest = async (digest: DueDigest): Promise<void> => {
    const { eventId, dueAt } = digest
    await newUploads.assign(digest)
    const { photos, videos } = await newUploads.count(eventId, dueAt, dueAt)
    const recipients = photos + videos > 0 ? await findRecipients(eventId) : undefined
    const errors = await tryEach(recipients?.organisers ?? [], async ({ _id: userId, email, language }) => {
      if (await unsubscriptions.has(eventId, userId)) return
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
    })
    throwIfAny(errors, 'some organisers got no digest')
    await digests.finish(digest)
    // Uploads since `dueAt` have planned no digest, because this one was still planned.
    if (await newUploads.hasUnassigned(eventId))
      await digests.plan(eventId, new Date(clock().getTime() + config.DIGEST_INTERVAL_MS))
  }

  return {
    /** Records an upload for the next digest of its event, which becomes due DIGEST_INTERVAL_MS after the first one. */
    record: async (upload: { uploadId: string; eventId: string; contentType: string }): Promise<void> => {
      if (!isMailOn) return
      const { uploadId, eventId, contentType } = upload
      // Its processing is requested again, and that it was reported is no longer recorded.
      if (readTime(uploadId) < clock().getTime() - config.MAIL_RETENTION_MS) return
      await newUploads.add({ _id: uploadId, eventId, isVideo: contentType.startsWith('video/') })
      // Also for an upload that was recorded before: its plan may have failed then.
      await plan(eventId)
      // Only now: an erasure that begins after this check finds both.
      if (await erasedIds.has(eventId)) {
        planned.delete(eventId)
        await newUploads.removeOfEvent(eventId)
        await digests.removeOfEvent(eventId)
      }
    },

    /**
     * Adds the mails of digests that are due: one to each organiser of an event, with the number of uploads since the last one
     * that was sent. A digest that fails is repeated when its lease has ended; each organiser gets it at most once.
     */
    send: async (): Promise<void> => {
      const errors: unknown[] = []
      for (let count = 0; count < MAX_DIGESTS && !stopping.aborted; count += 1) {
        const digest = await digests.leaseDue(LEASE_MS)
        if (!digest) break
        try {
          await sendDigest(digest)
        } catch (error) {
          logger.warn({ err: error, eventId: digest.eventId }, 'failed to prepare digest, will retry')
          errors.push(error)
        }
      }
      throwIfAny(errors, 'some digests were not prepared')
    },

    /** Ends the digests of an event for an organiser. Throws `invalid` if the token is not one of ours. */
    unsubscribe: async (token: string): Promise<void> => {
      const [eventId = '', userId = '', signature = ''] = token.split('.')
      if (!signer.isSignature(signature, `${PURPOSE}/${eventId}/${userId}`))
        throw invalid('This link is not valid. Please open it as it is in the mail.', { code: 'bad_link' })
      await unsubscriptions.add(eventId, userId)
      // The link outlives event and account. Checked after the write: an erasure that begins later finds the record.
      if (await erasedIds.has(eventId)) await unsubscriptions.removeOfEvent(eventId)
      if (await erasedIds.has(userId)) await unsubscriptions.removeOfUser(userId)
      await mails.removeWaitingDigests(eventId, userId)
    },
  }
}
export type Digests = ReturnType<typeof createDigests>
