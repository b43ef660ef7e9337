import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger, VerifyToken } from '@confetti/service-kit'
import { audienceOf } from './event.ts'
import type { EventCache } from './event-cache.ts'
import type { CloseReason, Stream } from './stream.ts'
import type { Streams } from './streams.ts'

// Messages report changes at once, so this only matters if one has been lost.
const MAX_EVENT_AGE_MS = 60_000
// Verifying a token takes about 0.2 ms of processor time.
const STREAMS_PER_TURN = 20

interface Deps {
  streams: Streams
  events: EventCache
  verifyToken: VerifyToken
  logger: Logger
}

/**
 * Ends the streams that are not allowed any more: their token has expired or been revoked, or the event has changed. If
 * that cannot be found out, the stream ends, too.
 */
export const makeRecheckStreams = ({ streams, events, verifyToken, logger }: Deps) => {
  const findFault = async (stream: Stream): Promise<CloseReason | undefined> => {
    try {
      const verification = await verifyToken(stream.authorization)
      if (verification.state === 'expired') return 'unauthorized'
      const principal = verification.state === 'valid' ? verification.principal : undefined
      const event = await events.find(stream.eventId, MAX_EVENT_AGE_MS)
      const audience = event && audienceOf(event, { ...stream.credentials, principal })
      return audience === stream.audience ? undefined : 'unauthorized'
    } catch (error) {
      logger.warn({ err: error }, 'cannot check stream, ending it')
      return 'unavailable'
    }
  }
  return async (): Promise<void> => {
    for (const [index, stream] of streams.all().entries()) {
      if (index % STREAMS_PER_TURN === 0) await nextTurn()
      const fault = await findFault(stream)
      if (fault) stream.end(fault)
    }
  }
}
export type RecheckStreams = ReturnType<typeof makeRecheckStreams>
