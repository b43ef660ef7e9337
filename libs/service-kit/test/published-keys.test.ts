import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { createJwksSignatureVerifier, systemClock } from '@confetti/service-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import jwt from 'jsonwebtoken'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const published = { ...createPublicKey(privateKey).export({ format: 'jwk' }), kid: 'current', alg: 'ES256' }

let requests = 0
let isAway = false
const auth = createServer((_, response) => {
  requests += 1
  response.writeHead(isAway ? 503 : 200).end(JSON.stringify({ keys: [published] }))
})
beforeAll(async () => {
  await once(auth.listen(0, '127.0.0.1'), 'listening')
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
})
afterAll(() => {
  mock.timers.reset()
  auth.close()
  auth.closeAllConnections()
})

const tokenOf = (keyid: string): string =>
  `Bearer ${jwt.sign({ email: 'anna@confetti.test', role: 'user', revision: 0 }, privateKey, {
    algorithm: 'ES256',
    keyid,
    subject: 'a'.repeat(24),
    issuer: 'confetti',
    audience: 'confetti',
    expiresIn: 900,
  })}`

test('When tokens have unknown keys, also while auth is away, then they are invalid, and keys are requested every 5 s at most', async () => {
  const config = {
    AUTH_JWKS_URL: `http://127.0.0.1:${(auth.address() as AddressInfo).port}/`,
    TOKEN_ISSUER: 'confetti',
    TOKEN_AUDIENCE: 'confetti',
  }
  const verify = createJwksSignatureVerifier(config, systemClock)
  const statesOf = async (keyid: string) => {
    const states: string[] = []
    for (let count = 0; count < 20; count += 1) states.push((await verify(tokenOf(keyid))).state)
    return [...new Set(states)]
  }
  expect(await statesOf('current')).toEqual(['valid'])
  expect(await statesOf('forged')).toEqual(['invalid'])
  expect(requests).toBe(1)
  isAway = true
  mock.timers.tick(6_000)
  expect(await statesOf('forged')).toEqual(['invalid'])
  expect(await statesOf('current')).toEqual(['valid'])
  expect(requests).toBe(2)
  isAway = false
  mock.timers.tick(6_000)
  expect(await statesOf('forged')).toEqual(['invalid'])
  expect(requests).toBe(3)
})
