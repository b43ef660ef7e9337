import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EVENT_PASS_HEADER, GUEST_KEY_HEADER, publicRoutes } from '@confetti/contracts'
import { call, eventually, newEvent, uniquePhoto, uploadForm } from '@confetti/test-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Harness } from '../harness.ts'
import { joinSystemWithoutMedia } from '../shared-system.ts'
import { fuzz, FUZZ_TIMEOUT_MS } from './fuzz.ts'
import { findErrors } from './log-lines.ts'

let harness: Harness
/** The key of the auth service. */
let signingKey: { kid: string; privateKey: KeyObject; publicPem: string; publicJwk: object }
const attackerKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** The server to which forged tokens refer for their key. No service may send a request to it. */
let attackerServer: Server
let requestCount = 0

beforeAll(async () => {
  harness = await joinSystemWithoutMedia()
  const file = harness.system.environment('auth').SIGNING_KEYS_FILE ?? ''
  const { keys } = JSON.parse(await readFile(file, 'utf8')) as { keys: [{ kid: string } & object] }
  const privateKey = createPrivateKey({ key: keys[0], format: 'jwk' })
  const publicKey = createPublicKey(privateKey)
  signingKey = {
    kid: keys[0].kid,
    privateKey,
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    publicJwk: publicKey.export({ format: 'jwk' }),
  }
  attackerServer = createServer((_, response) => {
    requestCount += 1
    response.end(JSON.stringify({ keys: [{ ...attackerJwk(), kid: 'attacker' }] }))
  }).listen(0, '127.0.0.1')
})
afterAll(() => void attackerServer.close())

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
/** The claims that the auth service issues for the admin. */
const validClaims = () => ({
  email: harness.admin.user.email,
  role: 'admin',
  sub: harness.admin.user._id,
  revision: 0,
  iss: 'confetti',
  aud: 'confetti-api',
  iat: now(),
  exp: now() + 900,
})
const createToken = (header: object, payload: object, signer: Signer): string => {
  const text = `${encode({ typ: 'JWT', ...header })}.${encode(payload)}`
  return `${text}.${signer(text).toString('base64url')}`
}
const withSigningKey = (payload: object): string =>
  createToken({ alg: 'ES256', kid: signingKey.kid }, payload, es256(signingKey.privateKey))
const withAttackerKey = (header: object): string =>
  createToken({ alg: 'ES256', kid: signingKey.kid, ...header }, validClaims(), es256(attackerKey.privateKey))
const attackerUrl = (): string =>
  `http://127.0.0.1:${(attackerServer.address() as AddressInfo).port}/jwks.json`
const attackerJwk = () => attackerKey.publicKey.export({ format: 'jwk' })
const splitToken = (token: string): string[] => token.split('.')

const forgedTokens: [string, () => string][] = [
  [
    'the algorithm "none"',
    () => createToken({ alg: 'none', kid: signingKey.kid }, validClaims(), () => Buffer.of()),
  ],
  [
    'the algorithm "NONE"',
    () => createToken({ alg: 'NONE', kid: signingKey.kid }, validClaims(), () => Buffer.of()),
  ],
  [
    'the public key as a shared secret',
    () => createToken({ alg: 'HS256', kid: signingKey.kid }, validClaims(), hs256(signingKey.publicPem)),
  ],
  [
    'the public JWK as a shared secret',
    () =>
      createToken(
        { alg: 'HS256', kid: signingKey.kid },
        validClaims(),
        hs256(JSON.stringify(signingKey.publicJwk)),
      ),
  ],
  ['an empty secret', () => createToken({ alg: 'HS256', kid: signingKey.kid }, validClaims(), hs256(''))],
  [
    'a signature of zeros',
    () => createToken({ alg: 'ES256', kid: signingKey.kid }, validClaims(), () => Buffer.alloc(64)),
  ],
  [
    'no signature',
    () => createToken({ alg: 'ES256', kid: signingKey.kid }, validClaims(), () => Buffer.of()),
  ],
  [
    'a signature in DER',
    () =>
      createToken({ alg: 'ES256', kid: signingKey.kid }, validClaims(), (text) =>
        sign('sha256', Buffer.from(text), signingKey.privateKey),
      ),
  ],
  ['another key with the id of the signing key', () => withAttackerKey({})],
  ['another key with an unknown id', () => withAttackerKey({ kid: 'attacker' })],
  ['another key in its header', () => withAttackerKey({ jwk: attackerJwk() })],
  ['a key at a URL', () => withAttackerKey({ kid: 'attacker', jku: attackerUrl() })],
  ['a certificate at a URL', () => withAttackerKey({ kid: 'attacker', x5u: attackerUrl() })],
  ['a URL as key id', () => withAttackerKey({ kid: attackerUrl() })],
  ['a file path as key id', () => withAttackerKey({ kid: '../../../../dev/null' })],
  ['the key id __proto__', () => withAttackerKey({ kid: '__proto__' })],
  ['a database operator as key id', () => withAttackerKey({ kid: { $ne: '' } })],
  ['no key id', () => withAttackerKey({ kid: undefined })],
  ['another issuer', () => withSigningKey({ ...validClaims(), iss: 'elsewhere' })],
  ['another audience', () => withSigningKey({ ...validClaims(), aud: 'elsewhere' })],
  ['no issuer', () => withSigningKey({ ...validClaims(), iss: undefined })],
  ['no audience', () => withSigningKey({ ...validClaims(), aud: undefined })],
  ['no revision', () => withSigningKey({ ...validClaims(), revision: undefined })],
  ['no subject', () => withSigningKey({ ...validClaims(), sub: undefined })],
  ['a database operator as subject', () => withSigningKey({ ...validClaims(), sub: { $ne: '' } })],
  ['a not-before time in the future', () => withSigningKey({ ...validClaims(), nbf: now() + 600 })],
  ['an expiry time in the past', () => withSigningKey({ ...validClaims(), exp: now() - 600 })],
  ['an expiry time that is not a number', () => withSigningKey({ ...validClaims(), exp: 'never' })],
  [
    'the payload of another token',
    () =>
      `${splitToken(harness.organiser.token)[0]}.${encode(validClaims())}.${splitToken(harness.organiser.token)[2]}`,
  ],
  ['five parts', () => `${harness.admin.token}.a.b`],
  [
    'a header that is not JSON',
    () => `e30x.${splitToken(harness.admin.token)[1]}.${splitToken(harness.admin.token)[2]}`,
  ],
  ['the format of a refresh token', () => harness.admin.refreshToken],
]

// One route of each service that verifies tokens.
const protectedRoutes = ['listUsers', 'listActiveEvents', 'listEventUploads', 'listContacts'] as const

test.each(forgedTokens)('When a token has %s, then all services reject it', async (_, forgeToken) => {
  for (const route of protectedRoutes) {
    const params = { eventId: harness.event._id }
    const { status } = await call(harness.api, publicRoutes[route], { token: forgeToken(), params })
    expect([route, status]).toEqual([route, 401])
  }
})

// Shows that the tokens above are rejected because of their defects only.
test('When a token has valid claims and a valid signature, then all services accept it', async () => {
  for (const route of protectedRoutes) {
    const params = { eventId: harness.event._id }
    expect(
      (await call(harness.api, publicRoutes[route], { token: withSigningKey(validClaims()), params })).status,
    ).toBe(200)
  }
})

test('When a token has expired, then reading an event is rejected, but uploading ignores the token', async () => {
  const { api, event } = harness
  const token = withSigningKey({ ...validClaims(), exp: now() - 600 })
  const rejected = await call(api, publicRoutes.getEvent, { token, params: { eventId: event._id } })
  expect([rejected.status, rejected.body.code]).toEqual([401, 'token_expired'])
  const uploaded = await call(api, publicRoutes.createUploads, {
    token,
    body: uploadForm(event._id, 'Table 1', [{ name: 'g.jpg', bytes: await uniquePhoto() }]),
  })
  expect(uploaded.status).toBe(201)
})

test('When a token has an unknown role, then it has no admin rights', async () => {
  for (const role of [undefined, 'Admin', 'root', ['admin'], { $ne: 'user' }]) {
    const { status } = await call(harness.api, publicRoutes.listUsers, {
      token: withSigningKey({ ...validClaims(), role }),
    })
    expect(status).toBe(403)
  }
})

/** Texts that are not `genuine`, most of them made of it. */
const forgeriesOf = (genuine: string): fc.Arbitrary<string> => {
  const text = (maxLength: number) => fc.stringMatching(new RegExp(`^[!-~]{0,${maxLength}}$`))
  const cut = fc.nat(genuine.length)
  const forgery = fc.oneof(
    text(300),
    cut.map((end) => genuine.slice(0, end)),
    text(5).map((end) => genuine + end),
    fc.tuple(cut, text(3)).map(([at, part]) => genuine.slice(0, at) + part + genuine.slice(at + 1)),
  )
  return forgery.filter((each) => each !== genuine)
}

test(
  'When passes, keys of own links and keys of a PIN are forged, then each is refused, and beside genuine ones, too',
  async () => {
    const { api, admin, organiser } = harness
    const { _id: eventId } = await newEvent(api, admin, organiser)
    const params = { eventId }
    const opened = await call(api, publicRoutes.getEvent, { params })
    const guest = { 'X-Guest-Token': opened.headers.get('X-Guest-Token') ?? '' }
    await call(api, publicRoutes.createUploads, {
      headers: guest,
      body: uploadForm(eventId, 'Ann', [{ name: 'a.jpg', bytes: await uniquePhoto() }]),
    })
    const link = await call(api, publicRoutes.createOwnLink, { headers: guest, body: { eventId } })
    const ownKey = new URL(link.body.url as string).hash.slice(1)
    const changed = await call(api, publicRoutes.updateEvent, {
      token: admin.token,
      params,
      body: { settings: { pin: 'Tulip42' } },
    })
    const { hash } = new URL(changed.body.event.uploadUrl as string)
    const linkKey = new URLSearchParams(hash.slice(1)).get('key') ?? ''
    const exchange = (key: string) => call(api, publicRoutes.createEventPass, { params, body: { key } })
    const pass = String((await exchange(linkKey)).body.pass)
    const list = async (sentPass: string, sentKey: string) => {
      const headers = { [EVENT_PASS_HEADER]: sentPass, [GUEST_KEY_HEADER]: sentKey }
      const { status, body } = await call(api, publicRoutes.listGuestUploads, { headers, query: { eventId } })
      return status === 200 ? (body.uploads as unknown[]).length : (body.code as string)
    }
    const findEvent = async (sentKey: string) =>
      (await call(api, publicRoutes.getOwnLink, { headers: { [GUEST_KEY_HEADER]: sentKey } })).status
    await eventually(async () => (await list('', ownKey)) === 'pin_required', 'the PIN in uploads')
    expect(await list(pass, ownKey)).toBe(1)
    expect(await findEvent(ownKey)).toBe(200)

    const forgeries = fc.record({
      forgedPass: forgeriesOf(pass),
      forgedKey: forgeriesOf(ownKey),
      forgedLinkKey: forgeriesOf(linkKey),
    })
    const property = fc.asyncProperty(forgeries, async ({ forgedPass, forgedKey, forgedLinkKey }) => {
      expect(await list(forgedPass, ownKey)).toBe('pin_required')
      expect(await list(pass, forgedKey)).toBe(0)
      expect(await findEvent(forgedKey)).toBe(404)
      const refused = await exchange(forgedLinkKey)
      expect(refused.status).toBe(400)
    })
    await fuzz('forged passes and keys', property, { cases: 60, timeShare: 1 / 18 })
  },
  FUZZ_TIMEOUT_MS,
)

test('When all tests have run, then no service has requested a key from a URL in a token', () => {
  expect(requestCount).toBe(0)
  expect(findErrors(harness.system.log)).toEqual([])
})
