import type { IncomingMessage } from 'node:http'
import { addressKey } from '@confetti/service-kit'
import type { TicketHolder } from '../domain/open-tickets.ts'

/** Who sends a request: the guest with a genuine token, as the gateway says, or an address. */
export const holderOf = (request: IncomingMessage, address: string): TicketHolder => {
  const guestId = request.headers['x-guest-id']
  return typeof guestId === 'string' ? `guest:${guestId}` : `address:${addressKey(address)}`
}
