import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { manifestsIn, manifestsOf, overlays, render, withFault, type Manifest } from './overlays.ts'
import { named, ofKind, workloads } from './references.ts'
import { root } from './run-tool.ts'

// Each is written as `secret/key`.

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

const asVariables = ({ env = [] }: Container): string[] =>
  env.flatMap(({ valueFrom }) => {
    const wanted = valueFrom?.secretKeyRef
    return wanted ? [`${wanted.name}/${wanted.key}`] : []
  })

/** The files of a Secret that a variable names, or, if none does, that somebody must. */
const asFiles = (manifests: readonly Manifest[], { containers, volumes = [] }: Pod): string[] =>
  volumes.flatMap(({ name: volume, secret }) =>
    containers.flatMap(({ volumeMounts = [], envFrom = [] }) => {
      const values = envFrom.flatMap(({ configMapRef: { name } }) =>
        Object.values((named(manifests, 'ConfigMap', name)?.data ?? {}) as Record<string, string>),
      )
      return volumeMounts
        .filter(({ name }) => secret && name === volume)
        .flatMap(({ mountPath }) => {
          const files = values.filter((value) => value.startsWith(`${mountPath}/`))
          return (files.length > 0 ? files : [`${mountPath}/a file that a variable names`]).map(
            (file) => `${secret?.secretName}/${file.slice(mountPath.length + 1)}`,
          )
        })
    }),
  )

/** What pods and KEDA ask for. */
const asked = (manifests: readonly Manifest[]): Set<string> => {
  const ofPods = workloads(manifests).flatMap(({ spec }) => {
    const pod = spec.template.spec as Pod
    return [...pod.containers.flatMap(asVariables), ...asFiles(manifests, pod)]
  })
  const ofKeda = ofKind(manifests, 'TriggerAuthentication').flatMap(({ spec }) =>
    (spec.secretTargetRef as { name: string; key: string }[]).map(({ name, key }) => `${name}/${key}`),
  )
  return new Set([...ofPods, ...ofKeda])
}

const ofVault = (manifests: readonly Manifest[]): Set<string> =>
  new Set(
    ofKind(manifests, 'ExternalSecret').flatMap(({ metadata, spec }) =>
      (spec.data as { secretKey: string }[]).map(({ secretKey }) => `${metadata.name}/${secretKey}`),
    ),
  )

/** What `npm run secrets -- kubernetes` makes. */
const made = async (): Promise<Set<string>> => {
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

test('In every overlay, the secrets that are asked for are those that there are', async () => {
  const local = await made()
  for (const overlay of await overlays()) {
    const manifests = await manifestsIn(overlay)
    const wanted = asked(manifests)
    expect(wanted).toContain('auth-signing-keys/signing-keys.json')
    expect(wanted).toEqual(overlay.startsWith('local') ? local : ofVault(manifests))
  }
})

test('A secret that is misspelt or not there is found', async () => {
  const text = await render('production')
  const missing = (sound: string, fault: string): string[] => {
    const manifests = manifestsOf(withFault(text, sound, fault))
    return [...asked(manifests)].filter((each) => !ofVault(manifests).has(each))
  }
  expect(
    missing('key: MONGO_URL\n              name: events', 'key: MONGO_URL\n              name: evnts'),
  ).toEqual(['evnts/MONGO_URL'])
  expect(missing('secretName: auth-signing-keys', 'secretName: signing-keys')).toEqual([
    'signing-keys/signing-keys.json',
  ])
  expect(missing('confetti/signing-keys.json', 'confetti/keys.json')).toEqual(['auth-signing-keys/keys.json'])
  expect(missing('/run/secrets/confetti/signing-keys.json', '/run/secrets/keys.json')).toEqual([
    'auth-signing-keys/a file that a variable names',
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
