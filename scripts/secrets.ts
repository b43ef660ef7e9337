import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newSigningKey } from '@confetti/launcher'
import { root } from './places.ts'

// Makes the secrets of one installation, each of them random: as files for `docker compose`, or as Secret objects for
// the state that k8s/overlays/local runs beside the services.

const usage = `npm run secrets -- compose
npm run --silent secrets -- kubernetes | kubectl create --filename -      once: what runs keeps the first passwords
  --mongo-without-accounts   for a server that speaks MongoDB's protocol and knows none`

const password = (): string => randomBytes(24).toString('base64url')
const signingKeys = (): string => JSON.stringify({ keys: [newSigningKey()] }, undefined, 2)

const forCompose = (): void => {
  const environment = join(root, '.env')
  const keys = join(root, '.signing-keys.json')
  for (const file of [environment, keys])
    if (existsSync(file))
      throw new Error(`${file} is there already, and what runs may need it. Nothing was changed.`)
  const values: Record<string, string> = { BLOB_KEY: randomBytes(64).toString('base64') }
  const filled = readFileSync(join(root, '.env.example'), 'utf8').replaceAll(
    /^(\w+)=$/gm,
    (_, name: string) => `${name}=${values[name] ?? password()}`,
  )
  writeFileSync(environment, filled.replace(/^#.*random ones\.\n/, ''), { mode: 0o600 })
  // Read in the container by a user of its own.
  writeFileSync(keys, signingKeys(), { mode: 0o644 })
  console.log('Written: .env, .signing-keys.json')
}

const secret = (name: string, stringData: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'confetti', labels: { 'app.kubernetes.io/part-of': 'confetti' } },
  stringData,
})

const forKubernetes = (mongoHasAccounts: boolean): void => {
  const [mongo, rabbitmq, redis] = [password(), password(), password()]
  const blobKey = randomBytes(64).toString('base64')
  const databaseOf = (service: string) => ({
    MONGO_URL: mongoHasAccounts
      ? `mongodb://confetti:${mongo}@mongodb:27017/confetti-${service}?authSource=admin`
      : `mongodb://mongodb:27017/confetti-${service}`,
  })
  const broker = { RABBITMQ_URL: `amqp://confetti:${rabbitmq}@rabbitmq:5672` }
  const counters = { REDIS_URL: `redis://:${redis}@redis:6379/0` }
  const blobs = {
    BLOB_CONNECTION_STRING: `DefaultEndpointsProtocol=http;AccountName=confetti;AccountKey=${blobKey};BlobEndpoint=http://azurite:10000/confetti`,
  }
  const items = [
    secret('mongodb', { MONGO_INITDB_ROOT_USERNAME: 'confetti', MONGO_INITDB_ROOT_PASSWORD: mongo }),
    secret('rabbitmq', { RABBITMQ_DEFAULT_USER: 'confetti', RABBITMQ_DEFAULT_PASS: rabbitmq }),
    secret('redis', { REDIS_PASSWORD: redis }),
    secret('azurite', { AZURITE_ACCOUNTS: `confetti:${blobKey}` }),
    secret('auth-signing-keys', { 'signing-keys.json': signingKeys() }),
    secret('auth', { ...databaseOf('auth'), ...broker, ...counters }),
    secret('events', { ...databaseOf('events'), ...broker }),
    secret('uploads', { ...databaseOf('uploads'), ...broker, ...blobs }),
    secret('contact', { ...databaseOf('contact'), ...broker }),
    secret('media', { ...databaseOf('media'), ...broker, ...blobs }),
    secret('gateway', { ...counters, GUEST_TOKEN_SECRET: password() }),
  ]
  console.log(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 2))
}

const [target, ...flags] = process.argv.slice(2)
try {
  if (target === 'compose') forCompose()
  else if (target === 'kubernetes') forKubernetes(!flags.includes('--mongo-without-accounts'))
  else throw new Error(usage)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
