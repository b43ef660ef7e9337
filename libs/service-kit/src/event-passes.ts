import { createHmac } from 'node:crypto'
import type { EventCopy } from '@confetti/contracts'
import { AppError } from './errors.ts'
import { currentCaller } from './http/route.ts'
import { isSameSecret } from './text-signer.ts'

const PASS_LIFE_MS = 30 * 24 * 3_600_000

const signPass = (eventId: string, pinHash: string, expiresAt: string): string =>
  createHmac('sha256', pinHash).update(`pass ${eventId} ${expiresAt}`).digest('base64url')

/** A pass for an event: when it ends, in milliseconds since 1970, and the signature of that for this event and PIN. */
export const issuePass = (
  eventId: string,
  pinHash: string,
  now: Date,
): { pass: string; expiresAt: string } => {
  const expiresAt = now.getTime() + PASS_LIFE_MS
  return {
    pass: `${expiresAt}.${signPass(eventId, pinHash, String(expiresAt))}`,
    expiresAt: new Date(expiresAt).toISOString(),
  }
}

const isPass = (pass: string, eventId: string, pinHash: string, now: Date): boolean => {
  const [, expiresAt, signature] = /^(\d{1,15})\.([\w-]{43})$/.exec(pass) ?? []
  if (!expiresAt || !signature) return false
  return isSameSecret(signature, signPass(eventId, pinHash, expiresAt)) && now.getTime() < Number(expiresAt)
}

type PinnedEvent = Pick<EventCopy, '_id' | 'organisers' | 'name' | 'language' | 'pinHash'>

/** Whether the current request has a pass, for whatever event or PIN. */
export const hasSomePass = (): boolean => currentCaller()?.proof?.pass !== undefined

/**
 * Throws `notFound` with the code `pin_required` if the current request is on a route that needs a pass for this event and has
 * none. Every service calls it where it reads events, so that no handler can forget it.
 */
export const checkPass = async (event: PinnedEvent, now: Date): Promise<void> => {
  const proof = currentCaller()?.proof
  if (!proof || event.pinHash === undefined) return
  if (proof.pass !== undefined && isPass(proof.pass, event._id, event.pinHash, now)) return
  const principal = await proof.findPrincipal()
  if (principal && (principal.role === 'admin' || event.organisers.includes(principal.userId))) return
  throw new AppError('not_found', 'Please enter the PIN of the event.', {
    code: 'pin_required',
    details: { name: event.name ?? '', ...(event.language && { language: event.language }) },
  })
}
