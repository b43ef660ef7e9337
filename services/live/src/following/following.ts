import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventCopy } from '@confetti/contracts'
import { notFound } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import { audienceOf, type Audience, type Credentials } from './audience.ts'
import { eventChanged } from './recent-events.ts'
import type { CloseReason, Stream } from './stream.ts'
import { refuseStream } from './streams.ts'

// Messages update the cached events sooner.
const MAX_AGE_AT_START_MS = 5_000
const MAX_AGE_AT_CHECK_MS = 60_000
// Verifying a token takes about 0.2 ms of processor time.
const STREAMS_PER_TURN = 20

/** Who may follow an event, from the beginning of a stream to its end. */
export const createFollowing = ({
  streams,
  events,
  verifyToken,
  isDraining,
  isSubscribed,
  metrics,
  logger,
}: Deps) => {
  /** Why a stream has to end, if it has: also if it cannot be found out whether it is still allowed. */
  const findReasonToEnd = async (stream: Stream): Promise<CloseReason | undefined> => {
    try {
      const verification = await verifyToken(stream.authorization)
      if (verification.state === 'expired') return 'unauthorized'
      const principal = verification.state === 'valid' ? verification.principal : undefined
      const event = await events.find(stream.eventId, MAX_AGE_AT_CHECK_MS)
      const audience = event && audienceOf(event, { ...stream.credentials, principal })
      return audience === stream.audience ? undefined : 'unauthorized'
    } catch (error) {
      logger.warn({ err: error }, 'cannot check stream, ending it')
      return 'unavailable'
    }
  }

  return {
    /**
     * The audience of an event that the caller belongs to. Throws `notFound` if they may not follow it, and `unavailable`
     * while this replica cannot serve a stream.
     */
    findAudience: async (eventId: string, credentials: Credentials): Promise<Audience> => {
      if (isDraining() || !isSubscribed()) {
        metrics.refused(isDraining() ? 'draining' : 'broker')
        throw refuseStream()
      }
      const find = async (): Promise<Audience> => {
        const event = await events.find(eventId, MAX_AGE_AT_START_MS)
        const audience = event && audienceOf(event, credentials)
        if (!audience) throw notFound('Event not found.', { code: 'event_not_found' })
        return audience
      }
      // First, so that nobody follows what they may not; and again, as it may have changed before its messages arrived.
      await find()
      await streams.follow(eventId)
      return find()
    },

    /** Ends the streams that a change of their event excludes, and sends the change to the others. */
    changeEvent: (event: EventCopy, message: { id: string; time: string }): void => {
      if (!events.save(event)) return
      for (const stream of streams.ofEvent(event._id))
        if (audienceOf(event, stream.credentials) !== stream.audience) stream.end('unauthorized')
      streams.send(event._id, eventChanged, message)
    },

    /** Ends all streams of an event that has been deleted. */
    deleteEvent: (eventId: string): void => {
      events.markDeleted(eventId)
      for (const stream of streams.ofEvent(eventId)) stream.end('unauthorized')
    },

    /** Ends the streams whose token has expired or been revoked, and those that a lost message would have ended. */
    recheckStreams: async (): Promise<void> => {
      for (const [index, stream] of streams.all().entries()) {
        if (index % STREAMS_PER_TURN === 0) await nextTurn()
        const reason = await findReasonToEnd(stream)
        if (reason) stream.end(reason)
      }
    },
  }
}
export type Following = ReturnType<typeof createFollowing>
