#!/usr/bin/env node
// Makes the JSON schemas beside this file, one for each kind that the overlays use: node k8s/schemas/make.mjs
// From the API descriptions in the projects' Go modules, of which Go's proxy has every release; it needs Go alone.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'

const kubernetes = 'k8s.io/kubernetes@v1.33.13'
const builtIn = {
  'api/v1': ['ConfigMap', 'Namespace', 'Service', 'ServiceAccount'],
  'apis/apps/v1': ['Deployment', 'StatefulSet'],
  'apis/autoscaling/v2': ['HorizontalPodAutoscaler'],
  'apis/networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'apis/policy/v1': ['PodDisruptionBudget'],
}
const custom = [
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
    kinds: ['PrometheusRule', 'ServiceMonitor'],
  },
  {
    module: 'github.com/external-secrets/external-secrets@v1.3.2',
    folder: 'config/crds/bases',
    kinds: ['ExternalSecret'],
  },
]

const moduleFolder = (module) =>
  JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { cwd: tmpdir() })).Dir

// Prose, and what only the server uses or writes.
const isLeftOut = (key) =>
  ['description', 'default', 'example'].includes(key) || key.startsWith('x-kubernetes-')
const serverWritten = new Set(['status', 'managedFields'])

const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

/** `schema` as strict JSON schema: a field that it does not name is an error. */
const strict = (schema) => {
  if (schema.$ref) return { $ref: schema.$ref.replace('#/components/schemas/', '#/definitions/') }
  if (schema.allOf?.length === 1 && !schema.properties) return strict(schema.allOf[0])
  if (schema['x-kubernetes-int-or-string']) return { type: ['integer', 'string'] }

  const result = Object.fromEntries(Object.entries(schema).filter(([key]) => !isLeftOut(key)))
  if (result.items) result.items = strict(result.items)
  if (typeof result.additionalProperties === 'object')
    result.additionalProperties = strict(result.additionalProperties)
  if (result.properties) {
    const named = Object.entries(result.properties).filter(([name]) => !serverWritten.has(name))
    result.properties = mapValues(Object.fromEntries(named), strict)
    if (!schema['x-kubernetes-preserve-unknown-fields']) result.additionalProperties ??= false
  }
  if (result.nullable) result.type = [result.type, 'null']
  return result
}

/** `schema` with the definitions that it refers to, and those that they refer to. */
const withDefinitions = (schema, all) => {
  const definitions = {}
  const take = (text) => {
    for (const [, name] of text.matchAll(/"#\/definitions\/([^"]+)"/g)) {
      if (name in definitions) continue
      definitions[name] = strict(all[name])
      take(JSON.stringify(definitions[name]))
    }
  }
  take(JSON.stringify(schema))
  return { ...schema, definitions }
}

const folderOfSchemas = import.meta.dirname
for (const file of readdirSync(folderOfSchemas))
  if (file.endsWith('.json')) rmSync(join(folderOfSchemas, file))

const write = ({ group, version, kind }, schema, all) => {
  const groupName = group ? `-${group.split('.')[0]}` : ''
  const exact = {
    ...schema,
    properties: {
      ...schema.properties,
      apiVersion: { const: group ? `${group}/${version}` : version },
      kind: { const: kind },
    },
    required: [...new Set(['apiVersion', 'kind', 'metadata', ...(schema.required ?? [])])],
  }
  const file = `${kind.toLowerCase()}${groupName}-${version}.json`
  writeFileSync(join(folderOfSchemas, file), `${JSON.stringify(withDefinitions(exact, all))}\n`)
}

const source = moduleFolder(kubernetes)

/** By schema and field, the values that a field may have: the API description leaves them out, the code has them. */
const allowedValues = () => {
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
const allowed = allowedValues()

const described = (path) => {
  const file = join(source, 'api/openapi-spec/v3', `${path.replaceAll('/', '__')}_openapi.json`)
  const { schemas } = JSON.parse(readFileSync(file, 'utf8')).components
  for (const { name, field, inList, values } of allowed) {
    const described = schemas[name]?.properties[field]
    if (described) (inList ? described.items : described).enum = values
  }
  return schemas
}

for (const [path, kinds] of Object.entries(builtIn)) {
  const all = described(path)
  for (const kind of kinds) {
    const name = Object.keys(all).find((each) => each.startsWith('io.k8s.api.') && each.endsWith(`.${kind}`))
    write(all[name]['x-kubernetes-group-version-kind'][0], strict(all[name]), all)
  }
}

const core = described('api/v1')
const objectMeta = { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }
for (const { module, folder, kinds } of custom) {
  const crds = join(moduleFolder(module), folder)
  const definitions = readdirSync(crds)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => parse(readFileSync(join(crds, file), 'utf8')))
    .filter((crd) => crd?.kind === 'CustomResourceDefinition')
  for (const kind of kinds) {
    const { spec } = definitions.find((crd) => crd.spec.names.kind === kind)
    const served = spec.versions.find((version) => version.storage)
    const schema = strict(served.schema.openAPIV3Schema)
    const properties = { ...schema.properties, metadata: objectMeta }
    write({ group: spec.group, version: served.name, kind }, { ...schema, properties }, core)
  }
}
