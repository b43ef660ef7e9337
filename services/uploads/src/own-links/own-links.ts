import { createHash, randomBytes } from 'node:crypto'
import { mayBelongTo } from '@confetti/blob-storage'
import { eventNotFound, notFound, type FindGuestByKey } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'

// For as many devices; then the oldest ends.
const MAX_LINKS = 10

/** A plain hash suffices: nobody can try 256 random bits. */
const hash = (key: string): string => createHash('sha256').update(key).digest('hex')

/**
 * Links by which guests list, rename, delete and save on another device what they have sent to an event. Whoever has one is
 * that guest, for this event alone. Only the hash of its key is stored.
 */
export const createOwnLinks = ({ config, events, erasedIds, ownLinks, clock, metrics }: Deps) => {
  const findGuestByKey: FindGuestByKey = async (key, { eventId, uploadId }) => {
    const link = await ownLinks.find(hash(key))
    if (!link) return undefined
    const isOfLink =
      (eventId === undefined || eventId === link.eventId) &&
      (uploadId === undefined || mayBelongTo(link.eventId, uploadId))
    return isOfLink ? link.guestId : undefined
  }

  return {
    findGuestByKey,

    /** Creates a link of a guest to an event. Throws `notFound` for an unknown event. */
    create: async (guestId: string, eventId: string): Promise<string> => {
      const { _id } = await events.get(eventId)
      const key = randomBytes(32).toString('base64url')
      await ownLinks.add(hash(key), { guestId, eventId: _id, createdAt: clock() }, MAX_LINKS)
      // Only now: an erasure that begins after this check finds the link.
      if (await erasedIds.has(_id)) {
        await ownLinks.removeOfEvent(_id)
        throw eventNotFound()
      }
      metrics.ownLinksChanged('created', 1)
      return new URL(`/mine#${key}`, config.SHELL_URL).href
    },

    /** Ends all links of a guest to an event. Throws `notFound` for an unknown event. */
    end: async (guestId: string, eventId: string): Promise<void> => {
      const { _id } = await events.get(eventId)
      metrics.ownLinksChanged('ended', await ownLinks.remove(guestId, _id))
    },

    /** The id of the event of the link with this key. Throws `notFound` if the link has ended. */
    findEventId: async (key: string | undefined): Promise<string> => {
      const link = key === undefined ? undefined : await ownLinks.find(hash(key))
      if (!link) throw notFound('This link has ended.', { code: 'own_link_ended' })
      return link.eventId
    },
  }
}
export type OwnLinks = ReturnType<typeof createOwnLinks>
