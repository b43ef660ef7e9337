import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Generates an ES256 key pair and returns it as a private JWK. */
export const newSigningKey = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid: randomUUID(),
  alg: 'ES256',
  use: 'sig',
})

/** Creates a file with one signing key if it does not exist. */
export const ensureSigningKeys = (file: string): void => {
  if (existsSync(file)) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ keys: [newSigningKey()] }, undefined, 2), { mode: 0o600 })
}
