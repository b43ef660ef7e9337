import { createHash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { derivePinSecrets, newPinSalt } from './pin.ts'

const pinSalt = 'AAECAwQFBgcICQoLDA0ODw'
const derive = (pin: string, salt = pinSalt) => derivePinSecrets({ pinSalt: salt, settings: { pin } })

test('When an event has a PIN, then the key of its links has 96 bits, and is the same for the same PIN', () => {
  const secrets = derive('Tulip42')
  expect(Buffer.from(secrets?.linkKey ?? '', 'base64url')).toHaveLength(12)
  expect(derive('tULIP42')).toEqual(secrets)
  expect(derive('Tulip43')?.linkKey).not.toBe(secrets?.linkKey)
  expect(derive('Tulip42', newPinSalt())?.linkKey).not.toBe(secrets?.linkKey)
  // As printed: what derives it must not change.
  expect(secrets?.linkKey).toBe('t-c2-l8Wh_WQPrwe')
})

test('When somebody has the key of links, then it does not tell the hash that signs passes', () => {
  const { linkKey = '', pinHash = '' } = derive('Tulip42') ?? {}
  expect(pinHash).toMatch(/^[0-9a-f]{64}$/)
  for (const known of [linkKey, Buffer.from(linkKey, 'base64url')])
    expect(createHash('sha256').update(known).digest('hex')).not.toBe(pinHash)
})

test('When an event has no PIN, then there is nothing that stands for it', () => {
  expect(derivePinSecrets({ pinSalt, settings: {} })).toBeUndefined()
  expect(Buffer.from(newPinSalt(), 'base64url')).toHaveLength(16)
})
