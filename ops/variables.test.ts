import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { readConfig } from '@confetti/service-kit'
import { parse } from 'yaml'
import { manifestsIn, overlays, type Manifest } from './overlays.ts'
import { named } from './references.ts'
import { root } from './run-tool.ts'
import { schemas, serviceNames } from './services.ts'

type Environment = Record<string, string>

// Belong to whoever runs a process, and have values that fit every container.
const leftToTheProcess = new Set(['HOST', 'PATH'])

/** Stands for what a secret would hold. */
const secrets: Environment = {
  MONGO_URL: 'mongodb://mongodb.example:27017/confetti',
  RABBITMQ_URL: 'amqp://rabbitmq.example:5672',
  REDIS_URL: 'redis://redis.example:6379/0',
  BLOB_CONNECTION_STRING: 'AccountName=confetti;AccountKey=a2V5',
  GUEST_TOKEN_SECRET: 'a secret of at least 32 characters',
}

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

const pairsOf = (lines: string): Environment =>
  Object.fromEntries([...lines.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))

const ofImage = async (): Promise<Environment> => {
  const [, line = ''] = /^ENV (.*)$/m.exec(await read('images/service.Dockerfile')) ?? []
  const { NODE_ENV, ...ports } = pairsOf(line.replaceAll(' ', '\n'))
  expect(NODE_ENV).toBe('production')
  return ports
}

const ofDeployment = (manifests: readonly Manifest[], name: string): Environment => {
  const find = (kind: string, wanted: string): Manifest => {
    const found = named(manifests, kind, wanted)
    if (!found) throw new Error(`There is no ${kind} ${wanted}`)
    return found
  }
  const container = find('Deployment', name).spec.template.spec.containers[0] as {
    env?: { name: string; value?: string; valueFrom?: { secretKeyRef: { key: string } } }[]
    envFrom?: { configMapRef: { name: string } }[]
  }
  const maps = (container.envFrom ?? []).map(
    ({ configMapRef }) => find('ConfigMap', configMapRef.name).data as Environment,
  )
  const single = (container.env ?? []).map(({ name: variable, value, valueFrom }) => {
    if (!valueFrom) return [variable, value ?? '']
    expect(valueFrom.secretKeyRef.key).toBe(variable)
    return [variable, secrets[variable] ?? '']
  })
  return Object.assign({}, ...maps, Object.fromEntries(single)) as Environment
}

const ofCompose = async (name: string): Promise<Environment> => {
  const { services } = parse(await read('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { env_file: string; environment: Environment }>
  }
  const service = services[name]
  if (!service) throw new Error(`docker-compose.yml has no service ${name}`)
  const secret = Object.entries(service.environment).map(([variable, value]) => [
    variable,
    value.includes('${') ? (secrets[variable] ?? '') : value,
  ])
  return { ...pairsOf(await read(service.env_file)), ...(Object.fromEntries(secret) as Environment) }
}

const schemaOf = (name: string) => {
  const schema = schemas[name]
  if (!schema) throw new Error(`There is no service ${name}`)
  return schema
}

/** Proves that a service would start with it, and that nothing in it is for nobody. */
const expectToFit = (name: string, environment: Environment): void => {
  const schema = schemaOf(name)
  const wanted = Object.keys(schema.shape).filter((variable) => !leftToTheProcess.has(variable))
  expect(Object.keys(environment).toSorted()).toEqual(wanted.toSorted())
  expect(() => readConfig(schema, environment)).not.toThrow()
}

test.each(serviceNames)(
  'In docker-compose.yml, %s is told all that it reads, and nothing else',
  async (name) => {
    expectToFit(name, { ...(await ofImage()), ...(await ofCompose(name)) })
  },
)

test('When what still arrives could be taken for left over, then uploads does not start', async () => {
  const environment = { ...(await ofImage()), ...(await ofCompose('uploads')), LONGEST_UPLOAD_MS: '72000000' }
  const start = () => readConfig(schemaOf('uploads'), environment)
  expect(start).toThrow(/LEFTOVER_AGE_MS: is less than one and a half times LONGEST_UPLOAD_MS/)
})

test('In every overlay, each service is told all that it reads, and nothing else', async () => {
  const image = await ofImage()
  for (const overlay of await overlays()) {
    const manifests = await manifestsIn(overlay)
    for (const name of serviceNames) expectToFit(name, { ...image, ...ofDeployment(manifests, name) })
  }
})
