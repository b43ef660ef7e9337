import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publicRoutes } from '@confetti/contracts'
import { ensureSigningKeys } from '@confetti/launcher'
import { call } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startStand, type Stand } from '../stand.ts'
import { troublesIn } from './running.ts'

let stand: Stand
let folder: string
let ours: { kid: string; privateKey: KeyObject; publicPem: string; publicJwk: object }
const theirs = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** Where a token says that its key is; nobody is to ask there. */
let trap: Server
let asked = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-tokens-'))
  const file = join(folder, 'keys.json')
  ensureSigningKeys(file)
  const { keys } = JSON.parse(await readFile(file, 'utf8')) as { keys: [{ kid: string } & object] }
  const privateKey = createPrivateKey({ key: keys[0], format: 'jwk' })
  const publicKey = createPublicKey(privateKey)
  ours = {
    kid: keys[0].kid,
    privateKey,
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    publicJwk: publicKey.export({ format: 'jwk' }),
  }
  trap = createServer((_, response) => {
    asked += 1
    response.end(JSON.stringify({ keys: [{ ...theirs.publicKey.export({ format: 'jwk' }), kid: 'theirs' }] }))
  }).listen(0, '127.0.0.1')
  stand = await startStand({
    services: ['auth', 'events', 'uploads', 'contact', 'gateway'],
    environment: { auth: { SIGNING_KEYS_FILE: file } },
  })
}, 120_000)
afterAll(async () => {
  await stand.system.stop()
  trap.close()
  await rm(folder, { recursive: true })
})

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url')
type Signer = (text: string) => Buffer

const es256 =
  (key: KeyObject): Signer =>
  (text) =>
    sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
const hs256 =
  (secret: string | Buffer): Signer =>
  (text) =>
    createHmac('sha256', secret).update(text).digest()

const now = (): number => Math.floor(Date.now() / 1_000)
/** What our auth service would say of the admin. */
const claims = () => ({
  email: stand.admin.user.email,
  role: 'admin',
  sub: stand.admin.user._id,
  iss: 'confetti',
  aud: 'confetti-api',
  iat: now(),
  exp: now() + 900,
})
const tokenOf = (header: object, payload: object, signer: Signer): string => {
  const text = `${encode({ typ: 'JWT', ...header })}.${encode(payload)}`
  return `${text}.${signer(text).toString('base64url')}`
}
const byUs = (payload: object): string =>
  tokenOf({ alg: 'ES256', kid: ours.kid }, payload, es256(ours.privateKey))
const byThem = (header: object, payload: object = claims()): string =>
  tokenOf({ alg: 'ES256', kid: ours.kid, ...header }, payload, es256(theirs.privateKey))
const trapUrl = (): string => `http://127.0.0.1:${(trap.address() as AddressInfo).port}/jwks.json`
const theirJwk = () => theirs.publicKey.export({ format: 'jwk' })
const parts = (token: string): string[] => token.split('.')

const forgeries: [string, () => string][] = [
  ['no algorithm', () => tokenOf({ alg: 'none', kid: ours.kid }, claims(), () => Buffer.of())],
  ['no algorithm in capitals', () => tokenOf({ alg: 'NONE', kid: ours.kid }, claims(), () => Buffer.of())],
  [
    'the public key as a shared secret',
    () => tokenOf({ alg: 'HS256', kid: ours.kid }, claims(), hs256(ours.publicPem)),
  ],
  [
    'the public JWK as a shared secret',
    () => tokenOf({ alg: 'HS256', kid: ours.kid }, claims(), hs256(JSON.stringify(ours.publicJwk))),
  ],
  ['an empty secret', () => tokenOf({ alg: 'HS256', kid: ours.kid }, claims(), hs256(''))],
  ['a signature of zeros', () => tokenOf({ alg: 'ES256', kid: ours.kid }, claims(), () => Buffer.alloc(64))],
  ['no signature', () => tokenOf({ alg: 'ES256', kid: ours.kid }, claims(), () => Buffer.of())],
  [
    'a signature in DER',
    () =>
      tokenOf({ alg: 'ES256', kid: ours.kid }, claims(), (text) =>
        sign('sha256', Buffer.from(text), ours.privateKey),
      ),
  ],
  ['another key under our name', () => byThem({})],
  ['another key under its own name', () => byThem({ kid: 'theirs' })],
  ['another key in its header', () => byThem({ jwk: theirJwk() })],
  ['a key at an address', () => byThem({ kid: 'theirs', jku: trapUrl() })],
  ['a certificate at an address', () => byThem({ kid: 'theirs', x5u: trapUrl() })],
  ['a key named as an address', () => byThem({ kid: trapUrl() })],
  ['a key named as a file', () => byThem({ kid: '../../../../dev/null' })],
  ['a key named __proto__', () => byThem({ kid: '__proto__' })],
  ['a key named as an operator', () => byThem({ kid: { $ne: '' } })],
  ['no key', () => byThem({ kid: undefined })],
  ['another issuer', () => byUs({ ...claims(), iss: 'elsewhere' })],
  ['another audience', () => byUs({ ...claims(), aud: 'elsewhere' })],
  ['no issuer', () => byUs({ ...claims(), iss: undefined })],
  ['no audience', () => byUs({ ...claims(), aud: undefined })],
  ['nobody', () => byUs({ ...claims(), sub: undefined })],
  ['a person who is an operator', () => byUs({ ...claims(), sub: { $ne: '' } })],
  ['a time before which it does not hold', () => byUs({ ...claims(), nbf: now() + 600 })],
  ['an end that is long over', () => byUs({ ...claims(), exp: now() - 600 })],
  ['an end that is no number', () => byUs({ ...claims(), exp: 'never' })],
  [
    'the payload of another',
    () => `${parts(stand.organiser.token)[0]}.${encode(claims())}.${parts(stand.organiser.token)[2]}`,
  ],
  ['five parts', () => `${stand.admin.token}.a.b`],
  ['a header that is no JSON', () => `e30x.${parts(stand.admin.token)[1]}.${parts(stand.admin.token)[2]}`],
  ['the bytes of a refresh token', () => stand.admin.refreshToken],
]

// One route of each service that checks tokens.
const guarded = ['listUsers', 'listActiveEvents', 'listEventUploads', 'listContacts'] as const

test.each(forgeries)('When a token has %s, then no service takes it', async (_, forge) => {
  for (const route of guarded) {
    const params = { eventId: stand.event._id }
    const { status } = await call(stand.api, publicRoutes[route], { token: forge(), params })
    expect([route, status]).toEqual([route, 401])
  }
})

test('When the same is signed rightly, then it is taken: the tokens above fail for what is wrong with them', async () => {
  for (const route of guarded) {
    const params = { eventId: stand.event._id }
    expect((await call(stand.api, publicRoutes[route], { token: byUs(claims()), params })).status).toBe(200)
  }
})

test('When a token names a role that there is not, then it is one of an ordinary user', async () => {
  for (const role of [undefined, 'Admin', 'root', ['admin'], { $ne: 'user' }]) {
    const { status } = await call(stand.api, publicRoutes.listUsers, { token: byUs({ ...claims(), role }) })
    expect(status).toBe(403)
  }
})

test('When all of that is over, then nobody has asked for a key where a token said that it was', () => {
  expect(asked).toBe(0)
  expect(troublesIn(stand.system.log)).toEqual([])
})
