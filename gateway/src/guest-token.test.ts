import { expect, test } from '@jest/globals'
import { createGuestTokens } from './guest-token.ts'

const tokens = createGuestTokens('one secret of at least 32 characters')

test('A token names the same guest each time, and two tokens two guests', () => {
  const [one, other] = [tokens.issue(), tokens.issue()]
  expect(tokens.guestOf(one)).toBe(tokens.guestOf(one))
  expect(tokens.guestOf(one)).not.toBe(tokens.guestOf(other))
})

test('A token made with another secret, or changed, names nobody', () => {
  const token = tokens.issue()
  expect(createGuestTokens('another secret of at least 32 characters').guestOf(token)).toBeUndefined()
  expect(tokens.guestOf(`A${token}`)).toBeUndefined()
  expect(tokens.guestOf(token.replace('.', ''))).toBeUndefined()
  expect(tokens.guestOf([token, token])).toBeUndefined()
  expect(tokens.guestOf(undefined)).toBeUndefined()
})
