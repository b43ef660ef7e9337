import * as contracts from '@confetti/contracts'
import { addressKey, type Route } from '@confetti/service-kit'
import type { CreateTickets } from '../domain/create-tickets.ts'
import type { TicketHolder } from '../domain/open-tickets.ts'

export interface CreateUploadTicketsDeps {
  createTickets: CreateTickets
}

export const createUploadTicketsRoute = ({
  createTickets,
}: CreateUploadTicketsDeps): Route<typeof contracts.createUploadTickets> => ({
  ...contracts.createUploadTickets,
  handle: async ({ body, request, address }) => {
    // The gateway sets it for a guest with a genuine token.
    const guestId = request.headers['x-guest-id']
    const holder: TicketHolder =
      typeof guestId === 'string' ? `guest:${guestId}` : `address:${addressKey(address)}`
    return { status: 201, body: { tickets: await createTickets(holder, body) } }
  },
})
