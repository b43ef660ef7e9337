import { expect, test } from '@jest/globals'
import type { RevokedTokens } from '@confetti/contracts'
import { createRevocationCheck } from './token-verifier.ts'

const token = { userId: 'a'.repeat(24), revision: 2, issuedAt: 1_000 }

/** A check with a clock and a list that the test sets; `list` undefined: auth does not answer. */
const createCheck = (first: RevokedTokens) => {
  const state: { now: number; list: RevokedTokens | undefined; fetches: number } = {
    now: 0,
    list: first,
    fetches: 0,
  }
  const isRevoked = createRevocationCheck(
    () => {
      state.fetches += 1
      return state.list ? Promise.resolve(state.list) : Promise.reject(new Error('auth does not answer'))
    },
    () => state.now,
  )
  return { state, isRevoked }
}

const accountAt = (revision: number): RevokedTokens => ({ accounts: [{ userId: token.userId, revision }] })

test('When the account has a higher revision in the list, then its token is revoked', async () => {
  const { isRevoked } = createCheck(accountAt(3))
  expect(await isRevoked(token)).toBe(true)
  expect(await isRevoked({ ...token, revision: 3 })).toBe(false)
  expect(await isRevoked({ ...token, userId: 'b'.repeat(24) })).toBe(false)
})

test('When the list does not reach back far enough, then older tokens of all accounts are revoked', async () => {
  const { isRevoked } = createCheck({ accounts: [], issuedBefore: 1_000 })
  expect(await isRevoked(token)).toBe(true)
  expect(await isRevoked({ ...token, issuedAt: 1_001 })).toBe(false)
})

test('When tokens are checked within 5 s, then the list is fetched once; after that it is fetched again', async () => {
  const { isRevoked, state } = createCheck({ accounts: [] })
  await Promise.all([isRevoked(token), isRevoked(token)])
  expect([state.fetches, await isRevoked(token)]).toEqual([1, false])
  state.now = 5_001
  state.list = accountAt(3)
  await isRevoked(token)
  expect([state.fetches, await isRevoked(token)]).toEqual([2, true])
})

test('When auth does not answer, then the last list is used for 40 s, and then no token is accepted', async () => {
  const { isRevoked, state } = createCheck(accountAt(2))
  expect(await isRevoked(token)).toBe(false)
  state.list = undefined
  state.now = 40_000
  expect(await isRevoked(token)).toBe(false)
  state.now = 40_001
  await expect(isRevoked(token)).rejects.toThrow('auth does not answer')
  state.list = accountAt(2)
  expect(await isRevoked(token)).toBe(false)
})

test('When the first list cannot be fetched, then no token is accepted', async () => {
  const { isRevoked, state } = createCheck({ accounts: [] })
  state.list = undefined
  await expect(isRevoked(token)).rejects.toThrow('auth does not answer')
})
