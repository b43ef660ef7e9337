import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { readConfig } from '@confetti/service-kit'
import { parseEnvironment, readComposeService, type Environment } from './compose.ts'
import { listOverlays, renderManifests, type Manifest } from './overlays.ts'
import { findByName } from './references.ts'
import { root } from './run-tool.ts'
import type { ServiceName } from '@confetti/launcher'
import { deployments, schemas } from './services.ts'

// Their defaults are right in every container, so no manifest sets them.
const variablesWithDefaults = new Set(['HOST', 'PATH'])

/** Valid values in place of those that Secrets hold. */
const secrets: Environment = {
  MONGO_URL: 'mongodb://mongodb.example:27017/confetti',
  RABBITMQ_URL: 'amqp://rabbitmq.example:5672',
  REDIS_URL: 'redis://redis.example:6379/0',
  BLOB_CONNECTION_STRING: 'AccountName=confetti;AccountKey=a2V5',
  GUEST_TOKEN_SECRET: 'a secret of at least 32 characters',
  TICKET_SECRET: 'a secret of at least 32 characters',
  SMTP_URL: 'smtp://user:password@smtp.example:587',
  UNSUBSCRIBE_SECRET: 'a secret of at least 32 characters',
}

/** What a variable of a container refers to. */
type Source = { secretKeyRef: { key: string } } | { configMapKeyRef: { name: string; key: string } }

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

const imageEnvironment = async (): Promise<Environment> => {
  const [, line = ''] = /^ENV (.*)$/m.exec(await read('images/service.Dockerfile')) ?? []
  const { NODE_ENV, ...ports } = parseEnvironment(line.replaceAll(' ', '\n'))
  expect(NODE_ENV).toBe('production')
  return ports
}

const deploymentEnvironment = (manifests: readonly Manifest[], deployment: string): Environment => {
  const find = (kind: string, name: string): Manifest => {
    const found = findByName(manifests, kind, name)
    if (!found) throw new Error(`There is no ${kind} ${name}`)
    return found
  }
  const container = find('Deployment', deployment).spec.template.spec.containers[0] as {
    env?: { name: string; value?: string; valueFrom?: Source }[]
    envFrom?: { configMapRef: { name: string } }[]
  }
  const configMaps = (container.envFrom ?? []).map(
    ({ configMapRef }) => find('ConfigMap', configMapRef.name).data as Environment,
  )
  const single = (container.env ?? []).map(({ name, value, valueFrom }) => {
    if (!valueFrom) return [name, value ?? '']
    if ('secretKeyRef' in valueFrom) {
      expect(valueFrom.secretKeyRef.key).toBe(name)
      return [name, secrets[name] ?? '']
    }
    const { name: configMap, key } = valueFrom.configMapKeyRef
    const { [key]: shared = '' } = find('ConfigMap', configMap).data as Environment
    return [name, shared]
  })
  return Object.assign({}, ...configMaps, Object.fromEntries(single)) as Environment
}

const composeEnvironment = async (name: string): Promise<Environment> => {
  const { environment, fileEnvironment } = await readComposeService(name)
  const own = Object.entries(environment).map(([variable, value]) => [
    variable,
    value.includes('${') ? (secrets[variable] ?? '') : value,
  ])
  return { ...fileEnvironment, ...(Object.fromEntries(own) as Environment) }
}

/** Asserts that the service starts with these variables and reads every one of them. */
const expectExactVariables = (name: ServiceName, environment: Environment): void => {
  const schema = schemas[name]
  const isUnused = (variable: string): boolean =>
    variablesWithDefaults.has(variable) ||
    (variable === 'BLOB_CONNECTION_STRING' && Boolean(environment.BLOB_ACCOUNT_URL))
  const expected = Object.keys(schema.shape).filter((variable) => !isUnused(variable))
  expect(Object.keys(environment).toSorted()).toEqual(expected.toSorted())
  expect(() => readConfig(schema, environment)).not.toThrow()
}

test.each([...deployments])(
  'In docker-compose.yml, %s has every variable that %s reads, and no other',
  async (name, service) => {
    expectExactVariables(service, { ...(await imageEnvironment()), ...(await composeEnvironment(name)) })
  },
)

test('When the sweep could remove files that still arrive, then uploads does not start', async () => {
  const environment = {
    ...(await imageEnvironment()),
    ...(await composeEnvironment('uploads')),
    MAX_UPLOAD_DURATION_MS: '90000000',
  }
  const start = () => readConfig(schemas.uploads, environment)
  expect(start).toThrow(/ORPHAN_AGE_MS: is less than one and a half times MAX_UPLOAD_DURATION_MS/)
})

test('In every overlay, each service has every variable that it reads, and no other', async () => {
  const image = await imageEnvironment()
  for (const overlay of await listOverlays()) {
    const manifests = await renderManifests(overlay)
    for (const [name, service] of deployments)
      expectExactVariables(service, { ...image, ...deploymentEnvironment(manifests, name) })
  }
})

test('In Compose and in every overlay, previews and renditions are made by workers of their own', async () => {
  const overlays = await Promise.all((await listOverlays()).map(renderManifests))
  for (const [name, task] of [
    ['media', 'previews'],
    ['renditions', 'renditions'],
  ] as const) {
    const environments = [
      await composeEnvironment(name),
      ...overlays.map((manifests) => deploymentEnvironment(manifests, name)),
    ]
    expect(new Set(environments.map(({ MEDIA_TASKS }) => MEDIA_TASKS))).toEqual(new Set([task]))
  }
})

test('In Compose and in every overlay, auth, events and notifications agree on mail, which needs a mail server', async () => {
  const overlays = await Promise.all((await listOverlays()).map(renderManifests))
  const image = await imageEnvironment()
  const sites = [
    {
      auth: await composeEnvironment('auth'),
      events: await composeEnvironment('events'),
      notifications: await composeEnvironment('notifications'),
    },
    ...overlays.map((manifests) => ({
      auth: deploymentEnvironment(manifests, 'auth'),
      events: deploymentEnvironment(manifests, 'events'),
      notifications: deploymentEnvironment(manifests, 'notifications'),
    })),
  ]
  for (const { auth, events, notifications } of sites) {
    expect([events.MAIL, notifications.MAIL]).toEqual([auth.MAIL, auth.MAIL])
    const start = () =>
      readConfig(schemas.notifications, { ...image, ...notifications, MAIL: 'on', SMTP_URL: '' })
    expect(start).toThrow(/SMTP_URL: is required while MAIL is on/)
  }
})
