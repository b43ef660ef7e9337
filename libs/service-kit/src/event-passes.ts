import { createHmac, timingSafeEqual } from 'node:crypto'
import type { EventCopy } from '@confetti/contracts'
import { AppError } from './errors.ts'
import { currentCaller } from './http/route.ts'

const LINK_KEY_BYTES = 12
const PASS_LIFE_MS = 30 * 24 * 3_600_000

const digest = (pinKey: string, text: string): Buffer => createHmac('sha256', pinKey).update(text).digest()

const isSame = (actual: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The key in the fragment of an event's links, which stands for its PIN and does not tell it. */
export const linkKeyOf = (eventId: string, pinKey: string): string =>
  digest(pinKey, `link ${eventId}`).subarray(0, LINK_KEY_BYTES).toString('base64url')

export const isLinkKey = (key: string, eventId: string, pinKey: string): boolean =>
  isSame(key, linkKeyOf(eventId, pinKey))

const signPass = (eventId: string, pinKey: string, expiresAt: string): string =>
  digest(pinKey, `pass ${eventId} ${expiresAt}`).toString('base64url')

/** A pass for an event: when it ends, in milliseconds since 1970, and the signature of that. */
export const issuePass = (
  eventId: string,
  pinKey: string,
  now: Date,
): { pass: string; expiresAt: string } => {
  const expiresAt = now.getTime() + PASS_LIFE_MS
  return {
    pass: `${expiresAt}.${signPass(eventId, pinKey, String(expiresAt))}`,
    expiresAt: new Date(expiresAt).toISOString(),
  }
}

const isPass = (pass: string, eventId: string, pinKey: string, now: Date): boolean => {
  const [, expiresAt, signature] = /^(\d{1,15})\.([\w-]{43})$/.exec(pass) ?? []
  if (!expiresAt || !signature) return false
  return isSame(signature, signPass(eventId, pinKey, expiresAt)) && now.getTime() < Number(expiresAt)
}

type PinnedEvent = Pick<EventCopy, '_id' | 'organisers' | 'name' | 'language' | 'pinKey'>

/**
 * Throws `notFound` with the code `pin_required` if the current request is on a route that needs a pass for this event and has
 * none. Every service calls it where it reads events, so that no handler can forget it.
 */
export const checkPass = async (event: PinnedEvent, now: Date): Promise<void> => {
  const proof = currentCaller()?.proof
  if (!proof || event.pinKey === undefined) return
  if (proof.pass !== undefined && isPass(proof.pass, event._id, event.pinKey, now)) return
  const principal = await proof.findPrincipal()
  if (principal && (principal.role === 'admin' || event.organisers.includes(principal.userId))) return
  throw new AppError('not_found', 'Please enter the PIN of the event.', {
    code: 'pin_required',
    details: { name: event.name ?? '', ...(event.language && { language: event.language }) },
  })
}
