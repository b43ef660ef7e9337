#!/usr/bin/env node
// Generates the JSON schemas in this folder, one for each kind that the overlays use: node k8s/schemas/make.mjs
// The sources are the API descriptions in the projects' Go modules. Requires Go.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'

const kubernetes = 'k8s.io/kubernetes@v1.33.13'
const builtInKinds = {
  'api/v1': ['ConfigMap', 'Namespace', 'Service', 'ServiceAccount'],
  'apis/apps/v1': ['Deployment', 'StatefulSet'],
  'apis/autoscaling/v2': ['HorizontalPodAutoscaler'],
  'apis/networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'apis/policy/v1': ['PodDisruptionBudget'],
  'apis/rbac.authorization.k8s.io/v1': ['Role', 'RoleBinding'],
}
const customKinds = [
  {
    module: 'sigs.k8s.io/gateway-api@v1.2.1',
    folder: 'config/crd/standard',
    kinds: ['Gateway', 'HTTPRoute'],
  },
  {
    module: 'github.com/kedacore/keda/v2@v2.16.1',
    folder: 'config/crd/bases',
    kinds: ['ScaledObject', 'TriggerAuthentication'],
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    folder: 'example/prometheus-operator-crd',
    kinds: ['Probe', 'PrometheusRule', 'ServiceMonitor'],
  },
  {
    module: 'github.com/external-secrets/external-secrets@v1.3.2',
    folder: 'config/crds/bases',
    kinds: ['ExternalSecret'],
  },
]

const downloadModule = (module) =>
  JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { cwd: tmpdir() })).Dir

// Descriptions, and keywords that only the API server uses.
const isOmitted = (key) =>
  ['description', 'default', 'example'].includes(key) || key.startsWith('x-kubernetes-')
// Fields that only the API server writes.
const serverFields = new Set(['status', 'managedFields'])

const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

/** Converts `schema` to a strict JSON schema, in which unknown fields are errors. */
const toStrict = (schema) => {
  if (schema.$ref) return { $ref: schema.$ref.replace('#/components/schemas/', '#/definitions/') }
  if (schema.allOf?.length === 1 && !schema.properties) return toStrict(schema.allOf[0])
  if (schema['x-kubernetes-int-or-string']) return { type: ['integer', 'string'] }

  const result = Object.fromEntries(Object.entries(schema).filter(([key]) => !isOmitted(key)))
  if (result.items) result.items = toStrict(result.items)
  if (typeof result.additionalProperties === 'object')
    result.additionalProperties = toStrict(result.additionalProperties)
  if (result.properties) {
    const kept = Object.entries(result.properties).filter(([name]) => !serverFields.has(name))
    result.properties = mapValues(Object.fromEntries(kept), toStrict)
    if (!schema['x-kubernetes-preserve-unknown-fields']) result.additionalProperties ??= false
  }
  if (result.nullable) result.type = [result.type, 'null']
  return result
}

/** Adds to `schema` the definitions that it refers to, directly or indirectly. */
const withDefinitions = (schema, all) => {
  const definitions = {}
  const collect = (text) => {
    for (const [, name] of text.matchAll(/"#\/definitions\/([^"]+)"/g)) {
      if (name in definitions) continue
      definitions[name] = toStrict(all[name])
      collect(JSON.stringify(definitions[name]))
    }
  }
  collect(JSON.stringify(schema))
  return { ...schema, definitions }
}

const schemasFolder = import.meta.dirname
for (const file of readdirSync(schemasFolder)) if (file.endsWith('.json')) rmSync(join(schemasFolder, file))

const write = ({ group, version, kind }, schema, all) => {
  const groupName = group ? `-${group.split('.')[0]}` : ''
  const complete = {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: { const: group ? `${group}/${version}` : version },
      kind: { const: kind },
    },
    required: [...new Set(['apiVersion', 'kind', 'metadata', ...(schema.required ?? [])])],
  }
  const file = `${kind.toLowerCase()}${groupName}-${version}.json`
  writeFileSync(join(schemasFolder, file), `${JSON.stringify(withDefinitions(complete, all))}\n`)
}

const source = downloadModule(kubernetes)

/** Reads the values of enumerations from the generated code, because the API description does not contain them. */
const readEnums = () => {
  const code = readFileSync(join(source, 'pkg/generated/openapi/zz_generated.openapi.go'), 'utf8')
  return code.split('\nfunc schema_k8sio_').flatMap((type) => {
    const name = `io.k8s.${type.slice(0, type.indexOf('(')).replaceAll('_', '.')}`
    return type.split(/\n\t{5}(?=")/).flatMap((field) => {
      const values = field.match(/Enum:\s+\[\]interface\{\}\{(.*)\}/)?.[1]
      if (!values) return []
      return {
        name,
        field: field.match(/^"(\w+)"/)[1],
        inList: /Items:/.test(field),
        values: JSON.parse(`[${values}]`),
      }
    })
  })
}
const enums = readEnums()

const readSchemas = (path) => {
  const file = join(source, 'api/openapi-spec/v3', `${path.replaceAll('/', '__')}_openapi.json`)
  const { schemas } = JSON.parse(readFileSync(file, 'utf8')).components
  for (const { name, field, inList, values } of enums) {
    const property = schemas[name]?.properties[field]
    if (property) (inList ? property.items : property).enum = values
  }
  return schemas
}

for (const [path, kinds] of Object.entries(builtInKinds)) {
  const all = readSchemas(path)
  for (const kind of kinds) {
    const name = Object.keys(all).find((each) => each.startsWith('io.k8s.api.') && each.endsWith(`.${kind}`))
    write(all[name]['x-kubernetes-group-version-kind'][0], toStrict(all[name]), all)
  }
}

const core = readSchemas('api/v1')
const objectMeta = { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }
for (const { module, folder, kinds } of customKinds) {
  const crds = join(downloadModule(module), folder)
  const definitions = readdirSync(crds)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => parse(readFileSync(join(crds, file), 'utf8')))
    .filter((crd) => crd?.kind === 'CustomResourceDefinition')
  for (const kind of kinds) {
    const { spec } = definitions.find((crd) => crd.spec.names.kind === kind)
    const stored = spec.versions.find((version) => version.storage)
    const schema = toStrict(stored.schema.openAPIV3Schema)
    const properties = { ...schema.properties, metadata: objectMeta }
    write({ group: spec.group, version: stored.name, kind }, { ...schema, properties }, core)
  }
}
