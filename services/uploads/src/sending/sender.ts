import { countCodePoints, normaliseText, type createUploadTickets } from '@confetti/contracts'
import { addressKey, invalid, readHeader, type RouteCall } from '@confetti/service-kit'

/** Who is counted by limits and quotas: a guest, or for clients without a guest token, an IP address. */
export interface LimitSubject {
  kind: 'guest' | 'address'
  /** The guest id, or the address as `addressKey` returns it. */
  id: string
}

/** As it is in tickets and in the keys of limits. */
export const toSubjectText = ({ kind, id }: LimitSubject): string => `${kind}:${id}`

/** The subject of which `toSubjectText` made this text. */
export const parseSubject = (text: string): LimitSubject => {
  const separator = text.indexOf(':')
  return {
    kind: text.slice(0, separator) === 'guest' ? 'guest' : 'address',
    id: text.slice(separator + 1),
  }
}

/** Who sends files. */
export interface Sender {
  limitSubject: LimitSubject
  /** The guest id issued with this answer, to a client that had none. It owns the uploads; limits count by address. */
  issuedGuestId?: string
}

type SenderCall = Pick<RouteCall<typeof createUploadTickets>, 'request' | 'guestId' | 'address'>

/** The guest who owns the uploads of a sender. */
export const ownerOf = ({ limitSubject, issuedGuestId }: Sender): string | undefined =>
  limitSubject.kind === 'guest' ? limitSubject.id : issuedGuestId

/** Who sends files: the guest with a genuine token, or an address. */
export const senderOf = ({ request, guestId, address }: SenderCall): Sender => {
  const issuedGuestId = readHeader(request, 'x-issued-guest-id')
  return {
    limitSubject: guestId ? { kind: 'guest', id: guestId } : { kind: 'address', id: addressKey(address) },
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
