import { expect, test } from '@jest/globals'
import { createGuestTokens } from './request-headers.ts'

const tokens = createGuestTokens(['one secret of at least 32 characters'])

test('When a token is verified, then it names the same guest each time, and another token another guest', () => {
  const [one, other] = [tokens.issue(), tokens.issue()]
  expect(tokens.verify(one)).toBeDefined()
  expect(tokens.verify(one)).toBe(tokens.verify(one))
  expect(tokens.verify(one)).not.toBe(tokens.verify(other))
})

test('When a token was issued with another secret or modified, then it names no guest', () => {
  const token = tokens.issue()
  expect(createGuestTokens(['another secret of at least 32 characters']).verify(token)).toBeUndefined()
  expect(tokens.verify(`A${token}`)).toBeUndefined()
  expect(tokens.verify(token.replace('.', ''))).toBeUndefined()
  expect(tokens.verify([token, token])).toBeUndefined()
  expect(tokens.verify(undefined)).toBeUndefined()
})
