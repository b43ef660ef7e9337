import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { CreateTickets } from '../domain/create-tickets.ts'
import { senderOf } from './sender.ts'

export interface CreateUploadTicketsDeps {
  createTickets: CreateTickets
}

export const createUploadTicketsRoute = ({
  createTickets,
}: CreateUploadTicketsDeps): Route<typeof contracts.createUploadTickets> => ({
  ...contracts.createUploadTickets,
  handle: async ({ body, request, address }) => {
    const tickets = await createTickets(senderOf(request, address), body)
    return { status: 201, body: { tickets } }
  },
})
