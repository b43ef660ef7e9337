import { expect, test } from '@jest/globals'
import {
  hashRefreshToken,
  newRefreshToken,
  newSalt,
  sessionIdOf,
  successorAgain,
  successorOf,
} from './refresh-token.ts'

test('A successor belongs to the same session, and its salt decides it', () => {
  const { sessionId, token } = newRefreshToken()
  const salt = newSalt()
  expect(sessionIdOf(token)).toBe(sessionId)
  expect(sessionIdOf(successorOf(token, salt))).toBe(sessionId)
  expect(successorOf(token, salt)).toBe(successorOf(token, salt))
  expect(successorOf(token, salt)).not.toBe(successorOf(token, newSalt()))
})

test('Only the previous token, and only within the time of grace, gives its successor again', () => {
  const { token } = newRefreshToken()
  const rotatedAt = new Date('2026-06-01T12:00:00Z')
  const session = { previousHash: hashRefreshToken(token), previousSalt: newSalt(), rotatedAt }
  const after = (ms: number) => ({ now: new Date(rotatedAt.getTime() + ms), graceMs: 10_000 })
  const successor = successorOf(token, session.previousSalt)
  expect(successorAgain(token, session, after(9_999))).toBe(successor)
  expect(successorAgain(token, session, after(10_000))).toBeUndefined()
  expect(successorAgain(newRefreshToken().token, session, after(0))).toBeUndefined()
  expect(successorAgain(token, {}, after(0))).toBeUndefined()
})
