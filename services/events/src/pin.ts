import { createHash, createHmac, randomBytes } from 'node:crypto'
import { normalisePin } from '@confetti/contracts'
import type { StoredEvent } from './event.ts'

const SALT_BYTES = 16
const LINK_KEY_BYTES = 12

export const newPinSalt = (): string => randomBytes(SALT_BYTES).toString('base64url')

/**
 * What stands for the PIN of an event: the key in its links, and the hash that other services have, which signs passes.
 * Undefined if it has no PIN. Both are made of an HMAC with the event's salt: nobody without the salt can try all PINs, and the
 * key, which is a part of the HMAC, does not tell the hash of all of it. So who has a link cannot sign passes.
 */
export const derivePinSecrets = ({
  pinSalt,
  settings: { pin },
}: Pick<StoredEvent, 'pinSalt' | 'settings'>) => {
  if (!pinSalt || !pin) return undefined
  const mac = createHmac('sha256', pinSalt).update(normalisePin(pin)).digest()
  return {
    linkKey: mac.subarray(0, LINK_KEY_BYTES).toString('base64url'),
    pinHash: createHash('sha256').update(mac).digest('hex'),
  }
}
