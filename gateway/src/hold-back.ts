import type { ClientRequest, IncomingMessage } from 'node:http'

interface Listeners {
  /** The call has a connection to the service, new or used before. */
  onConnection: (toService: ClientRequest) => void
  /** The service asks for the body; returns whether there still is somebody to send it. */
  onWanted: () => boolean
}

/**
 * Has a body wait where it is, in the phone, until the service asks for it (RFC 9110, 10.1.1): a service at its
 * limit need not keep what it cannot take yet, and a call of which nothing was read can be sent again.
 *
 * The proxy library sends a body at once, and is silent about calls that expect to be asked; so it is met where it
 * joins the two.
 */
export const holdBack = (request: IncomingMessage, { onConnection, onWanted }: Listeners): void => {
  request.headers.expect = '100-continue'
  const join = request.pipe.bind(request) as (toService: ClientRequest) => ClientRequest
  const joinLater = (toService: ClientRequest): ClientRequest =>
    toService
      .once('socket', () => onConnection(toService))
      .once('continue', () => {
        if (onWanted()) join(toService)
      })
  request.pipe = joinLater as IncomingMessage['pipe']
}
