import type { IncomingMessage } from 'node:http'
import { countCodePoints, normaliseText } from '@confetti/contracts'
import { addressKey, invalid, readHeader } from '@confetti/service-kit'

/** Who is counted by limits and quotas: a guest, or for clients without a guest token, an IP address. */
export type LimitSubject = `guest:${string}` | `address:${string}`

/** Who sends files. */
export interface Sender {
  limitSubject: LimitSubject
  /** The guest id issued with this answer, to a client that had none. It owns the uploads; limits count by address. */
  issuedGuestId?: string
}

const GUEST = 'guest:'

/** The guest who owns the uploads of a sender. */
export const ownerOf = ({ limitSubject, issuedGuestId }: Sender): string | undefined =>
  limitSubject.startsWith(GUEST) ? limitSubject.slice(GUEST.length) : issuedGuestId

/** The guest with a genuine token, as the gateway says. */
export const guestIdOf = (request: IncomingMessage): string | undefined => readHeader(request, 'x-guest-id')

/** Who sends files: the guest with a genuine token, as the gateway says, or an address. */
export const senderOf = (request: IncomingMessage, address: string): Sender => {
  const guestId = guestIdOf(request)
  const issuedGuestId = readHeader(request, 'x-issued-guest-id')
  return {
    limitSubject: guestId ? `guest:${guestId}` : `address:${addressKey(address)}`,
    ...(issuedGuestId && { issuedGuestId }),
  }
}

/** The name that a guest sent, normalised. Throws `invalid` if it is blank or longer than `maxCharacters`. */
export const parseCredit = (sent: string | undefined, maxCharacters: number): string => {
  const credit = normaliseText(sent ?? '')
  if (!credit) throw invalid('Photo credit name is required.', { code: 'credit_missing' })
  if (countCodePoints(credit) > maxCharacters)
    throw invalid(`The name is longer than ${maxCharacters} characters.`)
  return credit
}
