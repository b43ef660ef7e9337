import { z } from 'zod'
import { eventId } from '../ids.ts'
import { defineRoute, issueParams } from '../route-contract.ts'

/** The header with the pass of a guest for an event with a PIN. */
export const EVENT_PASS_HEADER = 'X-Event-Pass'

/**
 * A PIN as it is compared: upper and lower case are the same, and so are the digits of Arabic keyboards and full-width
 * characters. Spaces do not count.
 */
export const normalisePin = (pin: string): string =>
  pin
    .normalize('NFKC')
    .replaceAll(/\s/g, '')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .toLowerCase()

const MAX_PROOF_CHARACTERS = 100
const proof = z.string().max(MAX_PROOF_CHARACTERS)

export const createEventPass = defineRoute({
  method: 'post',
  path: '/api/events/{eventId}/passes',
  summary:
    'Get a pass for an event with a PIN, for the header X-Event-Pass: by the PIN, or by the key in the fragment of its links. 400 with the code pin_wrong, 404 if the event has no PIN, and 429 after too many wrong PINs, which keys never get',
  access: 'guest-or-anyone',
  params: z.object({ eventId }),
  body: z
    .object({ pin: proof.optional(), key: proof.optional() })
    .refine(({ pin, key }) => pin !== undefined || key !== undefined, {
      error: 'The PIN is missing.',
      path: ['pin'],
      params: issueParams('required'),
    }),
  responses: { 201: z.object({ pass: z.string(), expiresAt: z.iso.datetime() }) },
  errors: [400, 404, 429],
})

export const passesRoutes = { createEventPass }
