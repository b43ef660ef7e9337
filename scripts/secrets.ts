import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newSigningKey, serviceNames, services, type BackendName, type ServiceName } from '@confetti/launcher'
import { root } from './paths.ts'

// Generates random secrets for one installation: files for `docker compose`, or Secret objects for the
// services and the databases of k8s/overlays/local.

const usage = `npm run secrets -- compose
npm run --silent secrets -- kubernetes | kubectl create --filename -      only once: running servers keep their first passwords
  --mongo-without-accounts   for a MongoDB-compatible server without accounts`

const randomPassword = (): string => randomBytes(24).toString('base64url')
const newSigningKeys = (): string => JSON.stringify({ keys: [newSigningKey()] }, undefined, 2)

const writeComposeSecrets = (): void => {
  const envFile = join(root, '.env')
  const keysFile = join(root, '.signing-keys.json')
  for (const file of [envFile, keysFile])
    if (existsSync(file))
      throw new Error(`${file} already exists, and a running system may need it. Nothing was changed.`)
  const values: Record<string, string> = { BLOB_KEY: randomBytes(64).toString('base64') }
  const filled = readFileSync(join(root, '.env.example'), 'utf8').replaceAll(
    /^(\w+)=$/gm,
    (_, name: string) => `${name}=${values[name] ?? randomPassword()}`,
  )
  writeFileSync(envFile, filled.replace(/^#.*random ones\.\n/, ''), { mode: 0o600 })
  // The container's user reads it, which is not the user who runs this command.
  writeFileSync(keysFile, newSigningKeys(), { mode: 0o644 })
  console.log('Written: .env, .signing-keys.json')
}

const createSecret = (name: string, stringData: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'confetti', labels: { 'app.kubernetes.io/part-of': 'confetti' } },
  stringData,
})

const printKubernetesSecrets = (mongoHasAccounts: boolean): void => {
  const [mongo, rabbitmq, redis] = [randomPassword(), randomPassword(), randomPassword()]
  const blobKey = randomBytes(64).toString('base64')
  const credentials: Record<BackendName, (service: ServiceName) => Record<string, string>> = {
    mongo: (service) => ({
      MONGO_URL: mongoHasAccounts
        ? `mongodb://confetti:${mongo}@mongodb:27017/confetti-${service}?authSource=admin`
        : `mongodb://mongodb:27017/confetti-${service}`,
    }),
    rabbitmq: () => ({ RABBITMQ_URL: `amqp://confetti:${rabbitmq}@rabbitmq:5672` }),
    redis: () => ({ REDIS_URL: `redis://:${redis}@redis:6379/0` }),
    blob: () => ({
      BLOB_CONNECTION_STRING: `DefaultEndpointsProtocol=http;AccountName=confetti;AccountKey=${blobKey};BlobEndpoint=http://azurite:10000/confetti`,
    }),
  }
  const createServiceSecret = (name: ServiceName) =>
    createSecret(name, {
      ...Object.fromEntries(
        services[name].backends.flatMap((backend) => Object.entries(credentials[backend](name))),
      ),
      ...(name === 'gateway' && { GUEST_TOKEN_SECRET: randomPassword() }),
      ...(name === 'uploads' && { TICKET_SECRET: randomPassword() }),
      ...(name === 'notifications' && {
        SMTP_URL: 'smtp://mailpit:1025',
        UNSUBSCRIBE_SECRET: randomPassword(),
      }),
    })
  const items = [
    createSecret('mongodb', { MONGO_INITDB_ROOT_USERNAME: 'confetti', MONGO_INITDB_ROOT_PASSWORD: mongo }),
    createSecret('rabbitmq', { RABBITMQ_DEFAULT_USER: 'confetti', RABBITMQ_DEFAULT_PASS: rabbitmq }),
    createSecret('redis', { REDIS_PASSWORD: redis }),
    createSecret('azurite', { AZURITE_ACCOUNTS: `confetti:${blobKey}` }),
    createSecret('auth-signing-keys', { 'signing-keys.json': newSigningKeys() }),
    ...serviceNames.map(createServiceSecret),
  ]
  console.log(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 2))
}

const [target, ...flags] = process.argv.slice(2)
try {
  if (target === 'compose') writeComposeSecrets()
  else if (target === 'kubernetes') printKubernetesSecrets(!flags.includes('--mongo-without-accounts'))
  else throw new Error(usage)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
