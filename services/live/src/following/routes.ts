import { WALL_KEY_HEADER, type serviceRoutes } from '@confetti/contracts'
import { readHeader, type Handlers } from '@confetti/service-kit'
import type { Config } from '../config.ts'
import { openEventStream, streamHeaders } from './stream.ts'
import type { Following } from './following.ts'
import type { Streams } from './streams.ts'

export const liveRoutes = (
  config: Config,
  streams: Streams,
  { findAudience }: Following,
): Handlers<typeof serviceRoutes.live> => ({
  followEvent: async ({ params: { eventId }, principal, request, response }) => {
    // A connection of its own for each stream, and for each attempt: the next one may reach another replica.
    response.setHeader('Connection', 'close')
    const credentials = { principal, wallKey: readHeader(request, WALL_KEY_HEADER.toLowerCase()) }
    const audience = await findAudience(eventId, credentials)
    // The client may have disconnected meanwhile.
    if (response.destroyed) return undefined
    if (request.method === 'HEAD') {
      response.writeHead(200, streamHeaders).end()
      return undefined
    }
    streams.checkLimits(eventId)
    const { authorization } = request.headers
    const stream = openEventStream(
      response,
      { eventId, audience, credentials, authorization },
      {
        maxBufferedBytes: config.MAX_BUFFERED_BYTES,
        reconnectDelayMs: config.RECONNECT_DELAY_MS,
        onClose: streams.remove,
      },
    )
    streams.add(stream, readHeader(request, 'last-event-id'))
    return undefined
  },
})
