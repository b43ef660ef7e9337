import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { readSigningKeys } from './signing-keys.ts'

const newKey = (kid: string) => {
  const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  return { ...(jwk as { kty: string; crv: string; x: string; y: string; d: string }), kid }
}
const one = newKey('one')
const two = newKey('two')
const file = (...keys: unknown[]): string => JSON.stringify({ keys })

test('The first key signs unless SIGNING_KID names another; all are published', () => {
  const keys = readSigningKeys(file(one, two))
  expect(keys.current.kid).toBe(one.kid)
  expect(keys.published.map(({ kid }) => kid)).toEqual([one.kid, two.kid])
  expect(JSON.stringify(keys.published)).not.toContain(one.d)
  expect(readSigningKeys(file(one, two), two.kid).current.kid).toBe(two.kid)
  expect(keys.findPublicKey('unknown')).toBeUndefined()
})

test.each([
  ['invalid JSON', one.d, 'SIGNING_KEYS_FILE: the file is not JSON'],
  ['no keys', '{"keys":[]}', /^SIGNING_KEYS_FILE: .*keys/],
  ['an array instead of an object', JSON.stringify([one]), /^SIGNING_KEYS_FILE: .*the file/],
  ['a key without kid', file({ ...one, kid: undefined }), /^SIGNING_KEYS_FILE: .*keys\.0\.kid/],
  ['a public key', file(one, { ...two, d: undefined }), /^SIGNING_KEYS_FILE: .*keys\.1\.d/],
  ['an RSA key', file({ ...one, kty: 'RSA' }), /^SIGNING_KEYS_FILE: .*keys\.0\.kty/],
  ['an invalid key', file({ ...one, d: 'AAAA' }), 'SIGNING_KEYS_FILE: keys[0] is not a P-256 key pair'],
  [
    'parts of two different keys',
    file({ ...one, d: two.d }),
    'SIGNING_KEYS_FILE: keys[0] is not a P-256 key pair',
  ],
  ['a duplicate kid', file(one, { ...two, kid: one.kid }), 'SIGNING_KEYS_FILE: two keys have the same kid'],
])('A key file with %s is rejected, and the error does not quote it', (_, text, message) => {
  expect(() => readSigningKeys(text)).toThrow(message)
  expect(() => readSigningKeys(text)).not.toThrow(one.d)
})

test('A SIGNING_KID that no key has is rejected', () => {
  expect(() => readSigningKeys(file(one), 'other')).toThrow('SIGNING_KID: no key')
})
