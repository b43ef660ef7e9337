import * as contracts from '@confetti/contracts'
import type { Route } from '@confetti/service-kit'
import type { CreateTickets } from '../domain/create-tickets.ts'

export interface CreateUploadTicketsDeps {
  createTickets: CreateTickets
}

export const createUploadTicketsRoute = ({
  createTickets,
}: CreateUploadTicketsDeps): Route<typeof contracts.createUploadTickets> => ({
  ...contracts.createUploadTickets,
  handle: async ({ body: { eventId, photoCredit, files } }) => ({
    status: 201,
    body: { tickets: await createTickets(eventId, photoCredit, files) },
  }),
})
