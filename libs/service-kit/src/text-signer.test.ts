import { expect, test } from '@jest/globals'
import { createTextSigner, signingSecrets } from './text-signer.ts'

const [old, next] = ['o'.repeat(32), 'n'.repeat(32)]

test('When a secret is being replaced, then what either has signed is accepted, and the first signs', () => {
  const [before, during, after] = [[old], [next, old], [next]].map(createTextSigner)
  const signature = before?.sign('text') ?? ''
  expect(during?.isSignature(signature, 'text')).toBe(true)
  expect(during?.isSignature(signature, 'another text')).toBe(false)
  expect(during?.sign('text')).toBe(after?.sign('text'))
  expect(after?.isSignature(signature, 'text')).toBe(false)
})

test.each([
  [old, [old]],
  [`${next},${old}`, [next, old]],
  [`${next}, ${old} `, [next, old]],
  // A secret of an earlier version, which has a comma.
  ['a phrase with thirty-two characters, or more', ['a phrase with thirty-two characters, or more']],
])('When the variable is %j, then the secrets are %j', (text, secrets) => {
  expect(signingSecrets.parse(text)).toEqual(secrets)
})

test('When a secret is too short, then it is refused', () => {
  expect(signingSecrets.safeParse('short').success).toBe(false)
})
