import { createHash, timingSafeEqual } from 'node:crypto'
import { notFound, type Clock } from '@confetti/service-kit'
import type { EventStore, StoredEvent } from './event.ts'
import type { FindEvent } from './find-event.ts'

/** Finds an event whose gallery guests can see now. Throws `notFound`, with the code `gallery_off` if they cannot. */
export const makeFindGallery =
  ({ findEvent, clock }: { findEvent: FindEvent; clock: Clock }) =>
  async (eventId: string): Promise<StoredEvent> => {
    const event = await findEvent(eventId)
    const isRevealed = !event.revealAt || clock() >= new Date(event.revealAt)
    if (event.gallery !== 'on' || !isRevealed)
      throw notFound('The gallery of this event is not open.', { code: 'gallery_off' })
    return event
  }
export type FindGallery = ReturnType<typeof makeFindGallery>

const hasKey = ({ wallKeyHash = '' }: StoredEvent, key: string): boolean => {
  const expected = Buffer.from(wallKeyHash, 'hex')
  const hash = createHash('sha256').update(key).digest()
  return expected.length === hash.length && timingSafeEqual(expected, hash)
}

interface FindWallDeps {
  findEvent: FindEvent
  events: Pick<EventStore, 'findLatest'>
}

/** Finds an event by the key of its live wall. Throws `notFound` without the key, and for a wrong or earlier one. */
export const makeFindWall =
  ({ findEvent, events }: FindWallDeps) =>
  async (eventId: string, key: string | undefined): Promise<StoredEvent> => {
    const event = await findEvent(eventId)
    if (key !== undefined) {
      if (hasKey(event, key)) return event
      // The link may have been created a moment ago.
      const latest = await events.findLatest(event._id)
      if (latest && hasKey(latest, key)) return latest
    }
    throw notFound('This link to the live wall has ended.', { code: 'wall_not_found' })
  }
export type FindWall = ReturnType<typeof makeFindWall>
