import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import {
  injectFault,
  listOverlays,
  parseManifests,
  render,
  renderManifests,
  type Manifest,
} from './overlays.ts'
import { findByName, ofKind, workloads } from './references.ts'
import { root } from './run-tool.ts'

// Keys of Secrets are written as `secret/key`.

interface Container {
  name: string
  env?: { valueFrom?: { secretKeyRef?: { name: string; key: string } } }[]
  envFrom?: { configMapRef: { name: string } }[]
  volumeMounts?: { name: string; mountPath: string }[]
}
interface Pod {
  containers: Container[]
  volumes?: { name: string; secret?: { secretName: string } }[]
}

const keysInVariables = ({ env = [] }: Container): string[] =>
  env.flatMap(({ valueFrom }) => {
    const reference = valueFrom?.secretKeyRef
    return reference ? [`${reference.name}/${reference.key}`] : []
  })

/** The files of mounted Secrets that variables name. A mounted Secret that no variable names is a key, too. */
const keysInFiles = (manifests: readonly Manifest[], { containers, volumes = [] }: Pod): string[] =>
  volumes.flatMap(({ name: volume, secret }) =>
    containers.flatMap(({ volumeMounts = [], envFrom = [] }) => {
      const values = envFrom.flatMap(({ configMapRef: { name } }) =>
        Object.values((findByName(manifests, 'ConfigMap', name)?.data ?? {}) as Record<string, string>),
      )
      return volumeMounts
        .filter(({ name }) => secret && name === volume)
        .flatMap(({ mountPath }) => {
          const files = values.filter((value) => value.startsWith(`${mountPath}/`))
          return (files.length > 0 ? files : [`${mountPath}/no variable names a file`]).map(
            (file) => `${secret?.secretName}/${file.slice(mountPath.length + 1)}`,
          )
        })
    }),
  )

/** The keys that pods and KEDA read. */
const requiredKeys = (manifests: readonly Manifest[]): Set<string> => {
  const ofPods = workloads(manifests).flatMap(({ spec }) => {
    const pod = spec.template.spec as Pod
    return [...pod.containers.flatMap(keysInVariables), ...keysInFiles(manifests, pod)]
  })
  const ofKeda = ofKind(manifests, 'TriggerAuthentication').flatMap(({ spec }) =>
    (spec.secretTargetRef as { name: string; key: string }[]).map(({ name, key }) => `${name}/${key}`),
  )
  return new Set([...ofPods, ...ofKeda])
}

/** The keys that the External Secrets operator provides. */
const externalKeys = (manifests: readonly Manifest[]): Set<string> =>
  new Set(
    ofKind(manifests, 'ExternalSecret').flatMap(({ metadata, spec }) =>
      (spec.data as { secretKey: string }[]).map(({ secretKey }) => `${metadata.name}/${secretKey}`),
    ),
  )

/** The keys that `npm run secrets -- kubernetes` generates. */
const generatedKeys = async (): Promise<Set<string>> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/secrets.ts', 'kubernetes'], {
    cwd: root,
  })
  const { items } = JSON.parse(stdout) as { items: (Manifest & { stringData: Record<string, string> })[] }
  return new Set(
    items.flatMap(({ metadata, stringData }) =>
      Object.keys(stringData).map((key) => `${metadata.name}/${key}`),
    ),
  )
}

test('In every overlay, the secrets that are read are exactly those that are provided', async () => {
  const generated = await generatedKeys()
  for (const overlay of await listOverlays()) {
    const manifests = await renderManifests(overlay)
    const required = requiredKeys(manifests)
    expect(required).toContain('auth-signing-keys/signing-keys.json')
    expect(required).toEqual(overlay.startsWith('local') ? generated : externalKeys(manifests))
  }
})

test('A misspelt or missing secret is reported', async () => {
  const text = await render('production')
  const missing = (original: string, fault: string): string[] => {
    const manifests = parseManifests(injectFault(text, original, fault))
    return [...requiredKeys(manifests)].filter((key) => !externalKeys(manifests).has(key))
  }
  expect(
    missing('key: MONGO_URL\n              name: events', 'key: MONGO_URL\n              name: evnts'),
  ).toEqual(['evnts/MONGO_URL'])
  expect(missing('secretName: auth-signing-keys', 'secretName: signing-keys')).toEqual([
    'signing-keys/signing-keys.json',
  ])
  expect(missing('confetti/signing-keys.json', 'confetti/keys.json')).toEqual(['auth-signing-keys/keys.json'])
  expect(missing('/run/secrets/confetti/signing-keys.json', '/run/secrets/keys.json')).toEqual([
    'auth-signing-keys/no variable names a file',
  ])
  expect(
    missing(
      'key: RABBITMQ_URL\n    name: media\n    parameter: host',
      'key: AMQP_URL\n    name: media\n    parameter: host',
    ),
  ).toEqual(['media/AMQP_URL'])
  const [events = ''] = text
    .split('---\n')
    .filter((part) => /kind: ExternalSecret\n.*name: events\n/s.test(part))
  expect(missing(`${events}---\n`, '')).toEqual(['events/MONGO_URL', 'events/RABBITMQ_URL'])
})
