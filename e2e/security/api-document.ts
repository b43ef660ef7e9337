import { codePoints, normaliseText } from '@confetti/contracts'

/** As far as our OpenAPI document uses JSON Schema. */
export interface Schema {
  $ref?: string
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean'
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
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

export interface ApiDocument {
  operations: Operation[]
  resolve: (schema: Schema) => Schema
}

interface RawOperation {
  operationId: string
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content: Content }>
}

/** The operations of the OpenAPI document that the gateway at `api` serves. */
export const readApiDocument = async (api: string): Promise<ApiDocument> => {
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

// What says nothing about a value. Any other word would be overlooked below, so it is an error.
const judged = [
  'type',
  'properties',
  'required',
  'items',
  'anyOf',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
]
const known = [...judged, 'minimum', 'maximum', 'exclusiveMinimum', 'format', 'default', 'description']
const unjudged = [...known, 'contentEncoding']

const isOfType = (value: unknown, type: Schema['type']): boolean => {
  switch (type) {
    case undefined:
      return true
    case 'array':
      return Array.isArray(value)
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

/** Why a value is not as the document says, in words; nothing if it is. */
export const problemsOf = (
  document: ApiDocument,
  unresolved: Schema,
  value: unknown,
  at = 'the value',
): string[] => {
  const schema = document.resolve(unresolved)
  const unknown = Object.keys(schema).filter((word) => !unjudged.includes(word))
  if (unknown.length > 0) throw new Error(`${at}: these tests do not know ${unknown.join(', ')}`)
  if (schema.anyOf) {
    const each = schema.anyOf.map((one) => problemsOf(document, one, value, at))
    return each.some((problems) => problems.length === 0) ? [] : each.flat()
  }
  if (!isOfType(value, schema.type)) return [`${at} is no ${schema.type}`]
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is none of ${schema.enum.join()}`]
  if (typeof value === 'string') {
    // Most texts count as they are kept; passwords and tokens as they are.
    const asKept = problemsOfText(schema, normaliseText(value), at)
    return asKept.length > 0 ? problemsOfText(schema, value, at) : []
  }
  if (typeof value === 'number') return problemsOfNumber(schema, value, at)
  if (Array.isArray(value))
    return value.flatMap((item, n) => problemsOf(document, schema.items ?? {}, item, `${at}[${n}]`))
  if (typeof value !== 'object' || value === null) return []
  const fields = new Map(Object.entries(value))
  return [
    ...(schema.required ?? []).filter((name) => !fields.has(name)).map((name) => `${at}.${name} is missing`),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      fields.has(name) ? problemsOf(document, field, fields.get(name), `${at}.${name}`) : [],
    ),
  ]
}

const problemsOfText = (
  { pattern, minLength = 0, maxLength = Infinity }: Schema,
  text: string,
  at: string,
) => [
  ...(pattern && !new RegExp(pattern).test(text) ? [`${at} does not match ${pattern}`] : []),
  ...(codePoints(text) < minLength ? [`${at} is too short`] : []),
  ...(codePoints(text) > maxLength ? [`${at} is too long`] : []),
]

const problemsOfNumber = (
  { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity }: Schema,
  value: number,
  at: string,
) => (value < minimum || value > maximum || value <= exclusiveMinimum ? [`${at} is out of range`] : [])
