import { expect, test } from '@jest/globals'
import {
  deriveNextToken,
  hashRefreshToken,
  newRefreshToken,
  newSalt,
  parseSessionId,
  reissueNextToken,
} from './session.ts'

test('The next token belongs to the same session and depends on the salt', () => {
  const { sessionId, token } = newRefreshToken()
  const salt = newSalt()
  expect(parseSessionId(token)).toBe(sessionId)
  expect(parseSessionId(deriveNextToken(token, salt))).toBe(sessionId)
  expect(deriveNextToken(token, salt)).toBe(deriveNextToken(token, salt))
  expect(deriveNextToken(token, salt)).not.toBe(deriveNextToken(token, newSalt()))
})

test('Only the previous token gets its next token again, and only during the grace period', () => {
  const { token } = newRefreshToken()
  const rotatedAt = new Date('2026-06-01T12:00:00Z')
  const session = { previousHash: hashRefreshToken(token), previousSalt: newSalt(), rotatedAt }
  const after = (ms: number) => ({ now: new Date(rotatedAt.getTime() + ms), gracePeriodMs: 10_000 })
  const nextToken = deriveNextToken(token, session.previousSalt)
  expect(reissueNextToken(token, session, after(9_999))).toBe(nextToken)
  expect(reissueNextToken(token, session, after(10_000))).toBeUndefined()
  expect(reissueNextToken(newRefreshToken().token, session, after(0))).toBeUndefined()
  expect(reissueNextToken(token, {}, after(0))).toBeUndefined()
})
