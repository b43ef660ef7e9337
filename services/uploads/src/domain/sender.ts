/** Whose limits count: a guest's, or for clients without a guest token, those of an address. */
export type TicketHolder = `guest:${string}` | `address:${string}`

/** Who sends files. */
export interface Sender {
  holder: TicketHolder
  /** The guest whose token the answer carries to a client that had none. It owns what it sends, and is not counted by it. */
  issuedGuestId?: string
}

const GUEST = 'guest:'

/** The guest to whom the uploads of a sender belong. */
export const ownerOf = ({ holder, issuedGuestId }: Sender): string | undefined =>
  holder.startsWith(GUEST) ? holder.slice(GUEST.length) : issuedGuestId
