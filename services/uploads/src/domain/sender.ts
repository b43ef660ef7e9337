/** Who is counted by limits and quotas: a guest, or for clients without a guest token, an IP address. */
export type TicketHolder = `guest:${string}` | `address:${string}`

/** Who sends files. */
export interface Sender {
  holder: TicketHolder
  /** The guest id issued with this answer, to a client that had none. It owns the uploads; limits count by address. */
  issuedGuestId?: string
}

const GUEST = 'guest:'

/** The guest who owns the uploads of a sender. */
export const ownerOf = ({ holder, issuedGuestId }: Sender): string | undefined =>
  holder.startsWith(GUEST) ? holder.slice(GUEST.length) : issuedGuestId
