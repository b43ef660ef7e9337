import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { ConfigError } from '@confetti/service-kit'
import { z } from 'zod'

const privateJwk = z.object({
  kid: z.string().min(1),
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  alg: z.literal('ES256').optional(),
  x: z.string(),
  y: z.string(),
  d: z.string(),
})
const keyFile = z.object({ keys: z.array(privateJwk).min(1) })

/** A public key as other services get it. */
export const publicJwk = z.object({
  kid: z.string(),
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
  x: z.string(),
  y: z.string(),
})
export type PublicJwk = z.infer<typeof publicJwk>

interface KeyPair {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
  published: PublicJwk
}

export interface SigningKeys {
  /** The key that signs new tokens. */
  current: { kid: string; privateKey: KeyObject }
  /** All keys whose tokens are accepted. */
  published: PublicJwk[]
  publicKey: (kid: string) => KeyObject | undefined
}

// What the parsers say about a file quotes it, and it holds secrets: every problem is told in our own words.
const bad = (variable: string, problem: string) => new ConfigError(`${variable}: ${problem}`)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw bad('SIGNING_KEYS_FILE', 'the file is not JSON')
  }
}

const toKeyPair = ({ d, ...jwk }: z.infer<typeof privateJwk>, index: number): KeyPair => {
  const published: PublicJwk = { ...jwk, alg: 'ES256', use: 'sig' }
  try {
    const privateKey = createPrivateKey({ key: { ...jwk, d }, format: 'jwk' })
    const publicKey = createPublicKey({ key: published, format: 'jwk' })
    const probe = Buffer.from(jwk.kid)
    if (verify('sha256', probe, publicKey, sign('sha256', probe, privateKey)))
      return { kid: jwk.kid, privateKey, publicKey, published }
  } catch {
    // Told below.
  }
  throw bad('SIGNING_KEYS_FILE', `keys[${index}] is not a P-256 key pair`)
}

/**
 * The keys in the text of a key file; `signingKid` or else the first one signs. Throws ConfigError, which names
 * the variable and the problem and nothing that is in the file but positions.
 */
export const readSigningKeys = (text: string, signingKid?: string): SigningKeys => {
  const file = keyFile.safeParse(parseJson(text))
  if (!file.success) {
    const places = file.error.issues.map(({ path }) => path.join('.') || 'the file')
    throw bad('SIGNING_KEYS_FILE', `not as {"keys": [private ES256 JWK with kid, ...]}: ${places.join(', ')}`)
  }
  const pairs = file.data.keys.map(toKeyPair)
  const byKid = new Map(pairs.map((pair) => [pair.kid, pair]))
  if (byKid.size < pairs.length) throw bad('SIGNING_KEYS_FILE', 'two keys have the same kid')
  const current = signingKid === undefined ? pairs[0] : byKid.get(signingKid)
  if (!current) throw bad('SIGNING_KID', 'no key in SIGNING_KEYS_FILE has this kid')
  return {
    current,
    published: pairs.map(({ published }) => published),
    publicKey: (kid) => byKid.get(kid)?.publicKey,
  }
}
