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

/** A public key as it is published. */
export const publicJwk = z.object({
  kid: z.string(),
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
  x: z.string(),
  y: z.string(),
})
type PublicJwk = z.infer<typeof publicJwk>

interface KeyPair {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
  published: PublicJwk
}

export interface SigningKeys {
  /** The key that signs new tokens. */
  current: { kid: string; privateKey: KeyObject }
  /** The private keys of all key pairs, the current one first. */
  privateKeys: KeyObject[]
  /** The public keys of all key pairs; tokens that any of them signed are accepted. */
  published: PublicJwk[]
  findPublicKey: (kid: string) => KeyObject | undefined
}

// The messages of parsers are not used: they quote the file, which contains private keys.
const configError = (variable: string, problem: string) => new ConfigError(`${variable}: ${problem}`)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw configError('SIGNING_KEYS_FILE', 'the file is not JSON')
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
    // Reported below.
  }
  throw configError('SIGNING_KEYS_FILE', `keys[${index}] is not a P-256 key pair`)
}

/**
 * Parses the text of a key file. The key `signingKid` signs, or the first one if that is not given. Throws
 * `ConfigError`, which names the variable, the problem and its position, but quotes nothing from the file.
 */
export const readSigningKeys = (text: string, signingKid?: string): SigningKeys => {
  const file = keyFile.safeParse(parseJson(text))
  if (!file.success) {
    const paths = file.error.issues.map(({ path }) => path.join('.') || 'the file').join(', ')
    throw configError(
      'SIGNING_KEYS_FILE',
      `expected {"keys": [private ES256 JWK with kid, ...]}, invalid at ${paths}`,
    )
  }
  const pairs = file.data.keys.map(toKeyPair)
  const pairsByKid = new Map(pairs.map((pair) => [pair.kid, pair]))
  if (pairsByKid.size < pairs.length) throw configError('SIGNING_KEYS_FILE', 'two keys have the same kid')
  const current = signingKid === undefined ? pairs[0] : pairsByKid.get(signingKid)
  if (!current) throw configError('SIGNING_KID', 'no key in SIGNING_KEYS_FILE has this kid')
  return {
    current,
    privateKeys: [current, ...pairs.filter((pair) => pair !== current)].map(({ privateKey }) => privateKey),
    published: pairs.map(({ published }) => published),
    findPublicKey: (kid) => pairsByKid.get(kid)?.publicKey,
  }
}
