import { countCodePoints, normaliseText } from '@confetti/contracts'

/** The subset of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
  properties?: Record<string, Schema>
  required?: string[]
  /** Set where unknown fields are an error. */
  additionalProperties?: false
  items?: Schema
  anyOf?: Schema[]
  /** Of which exactly one fits: in this document they differ in a `const`. */
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  minProperties?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}

interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: Schema
}

type Content = Record<string, { schema: Schema }>

export interface Operation {
  id: string
  method: string
  path: string
  parameters: Parameter[]
  bodyType: string | undefined
  body: Schema | undefined
  responses: Record<string, { content: Content }>
}

export interface OpenApiDocument {
  operations: Operation[]
  resolve: (schema: Schema) => Schema
}

interface RawOperation {
  operationId: string
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content: Content }>
}

/** Fetches the OpenAPI document from the gateway at `api`. */
export const fetchOpenApiDocument = async (api: string): Promise<OpenApiDocument> => {
  const document = (await (await fetch(`${api}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, RawOperation>>
    components: { schemas: Record<string, Schema> }
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const [bodyType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
      return { ...operation, id: operation.operationId, method, path, bodyType, body: content?.schema }
    }),
  )
  const resolve = (schema: Schema): Schema =>
    schema.$ref ? (document.components.schemas[schema.$ref.replace(/^.*\//, '')] ?? {}) : schema
  return { operations, resolve }
}

// The validation below would ignore other keywords, so they are an error. The last four do not restrict a value.
const supportedKeywords = [
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'oneOf',
  'enum',
  'const',
  'minItems',
  'maxItems',
  'minProperties',
  'propertyNames',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'format',
  'default',
  'description',
  'contentEncoding',
]

const isOfType = (value: unknown, type: Schema['type']): boolean => {
  switch (type) {
    case undefined:
      return true
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
  }
}

/** Describes how a value violates a schema of the document; returns an empty array if it is valid. */
export const findSchemaViolations = (
  document: OpenApiDocument,
  unresolved: Schema,
  value: unknown,
  path = 'the value',
): string[] => {
  const schema = document.resolve(unresolved)
  const unsupported = Object.keys(schema).filter((keyword) => !supportedKeywords.includes(keyword))
  if (unsupported.length > 0) throw new Error(`${path}: these tests do not support ${unsupported.join(', ')}`)
  const anyOf = schema.anyOf ?? schema.oneOf
  if (anyOf) {
    const alternatives = anyOf.map((each) => findSchemaViolations(document, each, value, path))
    return alternatives.some((violations) => violations.length === 0) ? [] : alternatives.flat()
  }
  if (!isOfType(value, schema.type)) return [`${path} is not of type ${schema.type}`]
  if (schema.enum && !schema.enum.includes(value)) return [`${path} is not one of ${schema.enum.join()}`]
  if ('const' in schema && schema.const !== value) return [`${path} is not ${String(schema.const)}`]
  if (typeof value === 'string') {
    // Services validate most strings after normalisation, but passwords and tokens as they are.
    const violations = findStringViolations(schema, normaliseText(value), path)
    return violations.length > 0 ? findStringViolations(schema, value, path) : []
  }
  if (typeof value === 'number') return findNumberViolations(schema, value, path)
  if (Array.isArray(value)) {
    const { items = {}, minItems = 0, maxItems = Infinity } = schema
    if (value.length < minItems || value.length > maxItems) return [`${path} has ${value.length} items`]
    return value.flatMap((item, n) => findSchemaViolations(document, items, item, `${path}[${n}]`))
  }
  if (typeof value !== 'object' || value === null) return []
  const fields = new Map(Object.entries(value))
  if (fields.size < (schema.minProperties ?? 0)) return [`${path} has ${fields.size} fields`]
  return [
    ...(schema.required ?? [])
      .filter((name) => !fields.has(name))
      .map((name) => `${path}.${name} is missing`),
    ...(schema.additionalProperties === false
      ? [...fields.keys()]
          .filter((name) => !Object.hasOwn(schema.properties ?? {}, name))
          .map((name) => `${path}.${name} is unknown`)
      : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      fields.has(name) ? findSchemaViolations(document, field, fields.get(name), `${path}.${name}`) : [],
    ),
  ]
}

const findStringViolations = (
  { pattern, minLength = 0, maxLength = Infinity }: Schema,
  text: string,
  path: string,
) => [
  ...(pattern && !new RegExp(pattern).test(text) ? [`${path} does not match ${pattern}`] : []),
  ...(countCodePoints(text) < minLength ? [`${path} is too short`] : []),
  ...(countCodePoints(text) > maxLength ? [`${path} is too long`] : []),
]

const findNumberViolations = (
  { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity }: Schema,
  value: number,
  path: string,
) => (value < minimum || value > maximum || value <= exclusiveMinimum ? [`${path} is out of range`] : [])
