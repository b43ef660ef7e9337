import { z } from 'zod'
import { eventId } from '../ids.ts'
import { defineRoute } from '../route-contract.ts'

export const findEventByCode = defineRoute({
  method: 'get',
  path: '/api/codes/{code}',
  summary: 'Find the event that has a short code, as somebody has typed it',
  access: 'anyone',
  // What can be no code is answered like an unknown one.
  params: z.object({ code: z.string() }),
  responses: { 200: z.object({ eventId }) },
  notFoundCode: 'code_not_found',
})

export const codesRoutes = { findEventByCode }
