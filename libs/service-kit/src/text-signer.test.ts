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

const phrase = 'a phrase of a few words, as long as a secret must be'
const twoPhrases = `${old}, ${next}`

test.each([
  [old, [old]],
  // Of a file, with the end of its line.
  [`${old}\n`, [`${old}\n`]],
  [`${next},${old}`, [next, old, `${next},${old}`]],
  [`${next}, ${old},`, [next, old, `${next}, ${old},`]],
  [`${old},`, [old, `${old},`]],
  // Secrets of an earlier version, which have a comma.
  [phrase, [phrase]],
  [twoPhrases, [old, next, twoPhrases]],
])('When the variable is %j, then the secrets are %j', (text, secrets) => {
  expect(signingSecrets.parse(text)).toEqual(secrets)
})

test.each(['short', `${next},too short`])('When a secret of %j is too short, then it is refused', (text) => {
  expect(signingSecrets.safeParse(text).success).toBe(false)
})
