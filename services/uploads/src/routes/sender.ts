import type { IncomingMessage } from 'node:http'
import { addressKey, readHeader } from '@confetti/service-kit'
import type { Sender } from '../domain/sender.ts'

/** The guest with a genuine token, as the gateway says. */
export const guestIdOf = (request: IncomingMessage): string | undefined => readHeader(request, 'x-guest-id')

/** Who sends files: the guest with a genuine token, as the gateway says, or an address. */
export const senderOf = (request: IncomingMessage, address: string): Sender => {
  const guestId = guestIdOf(request)
  const issuedGuestId = readHeader(request, 'x-issued-guest-id')
  return {
    holder: guestId ? `guest:${guestId}` : `address:${addressKey(address)}`,
    ...(issuedGuestId && { issuedGuestId }),
  }
}
