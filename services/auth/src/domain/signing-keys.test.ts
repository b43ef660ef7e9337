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

test('The first key signs unless another is named; all are published', () => {
  const keys = readSigningKeys(file(one, two))
  expect(keys.current.kid).toBe(one.kid)
  expect(keys.published.map(({ kid }) => kid)).toEqual([one.kid, two.kid])
  expect(JSON.stringify(keys.published)).not.toContain(one.d)
  expect(readSigningKeys(file(one, two), two.kid).current.kid).toBe(two.kid)
  expect(keys.publicKey('unknown')).toBeUndefined()
})

test.each([
  ['no JSON', one.d, 'SIGNING_KEYS_FILE: the file is not JSON'],
  ['no keys', '{"keys":[]}', /^SIGNING_KEYS_FILE: .*keys/],
  ['another shape', JSON.stringify([one]), /^SIGNING_KEYS_FILE: .*the file/],
  ['a key without kid', file({ ...one, kid: undefined }), /^SIGNING_KEYS_FILE: .*keys\.0\.kid/],
  ['a public key', file(one, { ...two, d: undefined }), /^SIGNING_KEYS_FILE: .*keys\.1\.d/],
  ['another kind of key', file({ ...one, kty: 'RSA' }), /^SIGNING_KEYS_FILE: .*keys\.0\.kty/],
  ['a broken key', file({ ...one, d: 'AAAA' }), 'SIGNING_KEYS_FILE: keys[0] is not a P-256 key pair'],
  ['halves of two keys', file({ ...one, d: two.d }), 'SIGNING_KEYS_FILE: keys[0] is not a P-256 key pair'],
  ['one kid twice', file(one, { ...two, kid: one.kid }), 'SIGNING_KEYS_FILE: two keys have the same kid'],
])('A key file with %s is refused without being quoted', (_, text, message) => {
  expect(() => readSigningKeys(text)).toThrow(message)
  expect(() => readSigningKeys(text)).not.toThrow(one.d)
})

test('A SIGNING_KID that no key has is refused', () => {
  expect(() => readSigningKeys(file(one), 'other')).toThrow('SIGNING_KID: no key')
})
