import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listUsers, login, refresh } from '@confetti/contracts'
import { newSigningKey } from '@confetti/launcher'
import { call, newAdmin, startTestSystem, type TestSystem } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import jwt from 'jsonwebtoken'
import { listSigningKeys } from '../src/routes.ts'

const oldKey = newSigningKey()
const newKey = newSigningKey()

let folder: string
let file: string
let system: TestSystem
let auth: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-keys-'))
  file = join(folder, 'keys.json')
  await writeKeys(oldKey)
  system = await startTestSystem({
    services: ['auth'],
    environment: { auth: { SIGNING_KEYS_FILE: file } },
  })
  auth = system.url('auth')
})
afterAll(async () => {
  await system.stop()
  await rm(folder, { recursive: true })
})

const writeKeys = (...keys: unknown[]) => writeFile(file, JSON.stringify({ keys }))
const restart = async (): Promise<void> => {
  for (const replica of system.replicas('auth')) {
    await replica.stop()
    await replica.restart()
  }
}
const kidOf = (token: string) => jwt.decode(token, { complete: true })?.header.kid
const publishedKids = async (): Promise<string[]> =>
  ((await call(auth, listSigningKeys)).body.keys as { kid: string }[]).map(({ kid }) => kid)

test('The published keys have no private part', async () => {
  const { status, body } = await call(auth, listSigningKeys)
  expect(status).toBe(200)
  const { kid, x, y } = oldKey as { kid: string; x?: string; y?: string }
  expect(body).toEqual({ keys: [{ kid, kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', x, y }] })
})

test('An access token has subject, audience, issuer, role and expiry', async () => {
  const { token, user } = await newAdmin(system, auth)
  const { header, payload } = jwt.decode(token, { complete: true }) ?? {}
  expect(header).toEqual({ alg: 'ES256', typ: 'JWT', kid: oldKey.kid })
  expect(payload).toEqual({
    sub: user._id,
    email: user.email,
    role: 'admin',
    revision: 0,
    iss: 'confetti',
    aud: 'confetti-api',
    iat: expect.any(Number),
    exp: Number((payload as jwt.JwtPayload).iat) + 900,
  })
})

test('Only tokens that are signed with a published key are accepted', async () => {
  const { token, user } = await newAdmin(system, auth)
  const [, payload = '', signature = ''] = token.split('.')
  const header = Buffer.from(JSON.stringify({ alg: 'none', kid: oldKey.kid })).toString('base64url')
  const claims = { email: user.email, role: 'admin', revision: 0 }
  const options = { subject: user._id, issuer: 'confetti', audience: 'confetti-api' }
  const forged = [
    `${header}.${payload}.`,
    `${header}.${payload}.${signature}`,
    jwt.sign(claims, JSON.stringify(oldKey), { ...options, algorithm: 'HS256', keyid: oldKey.kid }),
    jwt.sign(claims, { key: newKey, format: 'jwk' } as never, {
      ...options,
      algorithm: 'ES256',
      keyid: oldKey.kid,
    }),
  ]
  for (const forgedToken of forged)
    expect((await call(auth, listUsers, { token: forgedToken })).status).toBe(401)
  expect((await call(auth, listUsers, { token })).status).toBe(200)
})

test('When the signing key is rotated, then sessions continue', async () => {
  const admin = await newAdmin(system, auth)
  expect(kidOf(admin.token)).toBe(oldKey.kid)

  await writeKeys(oldKey, newKey)
  await restart()
  expect(await publishedKids()).toEqual([oldKey.kid, newKey.kid])
  expect((await call(auth, listUsers, { token: admin.token })).status).toBe(200)

  await writeKeys(newKey, oldKey)
  await restart()
  expect((await call(auth, listUsers, { token: admin.token })).status).toBe(200)
  const { body } = await call(auth, login, { body: { email: admin.user.email, password: admin.password } })
  expect(kidOf(body.accessToken as string)).toBe(newKey.kid)

  await writeKeys(newKey)
  await restart()
  expect((await call(auth, listUsers, { token: admin.token })).status).toBe(401)
  const refreshed = await call(auth, refresh, { body: { refreshToken: admin.refreshToken } })
  expect(refreshed.status).toBe(200)
  expect((await call(auth, listUsers, { token: refreshed.body.accessToken as string })).status).toBe(200)
})

test('With an invalid key file the service does not start, and the error does not contain the keys', async () => {
  const { x: _, ...incomplete } = newSigningKey() as { x?: string; d?: string }
  const invalidFile = join(folder, 'invalid.json')
  await writeFile(invalidFile, JSON.stringify({ keys: [incomplete] }))
  const start = startTestSystem({
    services: ['auth'],
    environment: { auth: { SIGNING_KEYS_FILE: invalidFile } },
  })
  await expect(start).rejects.toThrow(/SIGNING_KEYS_FILE: .*keys\.0\.x/)
  await expect(start).rejects.not.toThrow(incomplete.d)
})
