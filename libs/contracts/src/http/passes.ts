import { z } from 'zod'
import { eventId } from '../ids.ts'
import { defineRoute } from '../route-contract.ts'

/** The header with the pass of a guest for an event with a PIN. */
export const EVENT_PASS_HEADER = 'X-Event-Pass'

const MAX_PROOF_CHARACTERS = 100
const proof = z.string().max(MAX_PROOF_CHARACTERS)

export const createEventPass = defineRoute({
  method: 'post',
  path: '/api/events/{eventId}/passes',
  summary:
    'Get a pass for an event with a PIN, by the PIN or by the key in the fragment of its links. Too many wrong PINs are refused with 429, keys never',
  access: 'guest-or-anyone',
  issuesGuestToken: true,
  params: z.object({ eventId }),
  body: z.union([z.object({ pin: proof }), z.object({ key: proof })]),
  responses: { 201: z.object({ pass: z.string(), expiresAt: z.iso.datetime() }) },
  errors: [400, 404, 429],
})

export const passesRoutes = { createEventPass }
