import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Subscription } from '@confetti/messaging'
import { notFound, type Service, type VerifyToken } from '@confetti/service-kit'
import type { Config } from '../config.ts'
import type { LiveMetrics } from '../metrics.ts'
import type { EventCache } from './event-cache.ts'
import { eventChanged, toLiveChange, type UploadMessage } from './recent-events.ts'
import { audienceOf, type Audience, type Credentials, type Stream } from './stream.ts'
import { refuseStream, type Streams } from './streams.ts'

interface Deps extends Service<Config> {
  events: EventCache
  streams: Streams
  verifyToken: VerifyToken
  isDraining: () => boolean
  /** Whether messages arrive. Without them a stream would be silent, and its page would not poll. */
  isSubscribed: () => boolean
  metrics: LiveMetrics
}

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
  /** What a token had granted ends with it, also if its signing key was removed: then it is invalid. */
  const hasValidToken = async ({ authorization, credentials }: Stream): Promise<boolean> => {
    const { state } = await verifyToken(authorization)
    return credentials.principal ? state === 'valid' : state !== 'expired'
  }
  const mayStillFollow = async ({ eventId, credentials, audience }: Stream): Promise<boolean> => {
    const event = await events.find(eventId, MAX_AGE_AT_CHECK_MS)
    return event !== undefined && audienceOf(event, credentials) === audience
  }

  /** Ends the streams that are not allowed any more, and those that cannot be checked. */
  const endStreams = async (isAllowed: (stream: Stream) => Promise<boolean>): Promise<void> => {
    for (const [index, stream] of streams.all().entries()) {
      if (index % STREAMS_PER_TURN === 0) await nextTurn()
      try {
        if (!(await isAllowed(stream))) stream.end('unauthorized')
      } catch (error) {
        logger.warn({ err: error }, 'cannot check stream, ending it')
        stream.end('unavailable')
      }
    }
  }

  /** Ends the streams whose token has expired or been revoked. */
  const recheckTokens = (): Promise<void> => endStreams(hasValidToken)

  /**
   * Ends the streams that a lost message would have ended. The events service may take seconds for each: tokens are checked
   * meanwhile.
   */
  const recheckAudiences = (): Promise<void> => endStreams(mayStillFollow)

  const sendChange = (message: UploadMessage): void => {
    metrics.received(message.type)
    streams.send(message.data.eventId, toLiveChange(message), message)
  }

  /** What this service receives, in a queue of each replica. */
  const subscription: Subscription = {
    handlers: {
      'upload.completed.v1': sendChange,
      'upload.changed.v1': sendChange,
      'upload.deleted.v1': sendChange,
      /** Ends the streams that the change excludes, and sends it to the others. */
      'event.changed.v1': (message) => {
        metrics.received(message.type)
        const event = message.data
        if (!events.save(event)) return
        for (const stream of streams.ofEvent(event._id))
          if (audienceOf(event, stream.credentials) !== stream.audience) stream.end('unauthorized')
        streams.send(event._id, eventChanged, message)
      },
      'event.deleted.v1': ({ type, data: { _id: eventId } }) => {
        metrics.received(type)
        events.markDeleted(eventId)
        for (const stream of streams.ofEvent(eventId)) stream.end('unauthorized')
      },
    },
    onGap: () => {
      // A change that excludes a stream may be among the messages that are missing.
      events.clear()
      streams.reset()
      void recheckAudiences()
    },
  }

  return {
    subscription,
    recheckTokens,
    recheckAudiences,

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
  }
}
export type Following = ReturnType<typeof createFollowing>
