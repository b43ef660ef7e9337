import fc from 'fast-check'
import type { OpenApiDocument, Operation, Schema } from './openapi-document.ts'
import { contentTypes, malformedBodies, massAssignmentFields, unexpectedValue } from './unexpected-values.ts'

/** Values that exist in the system under test, such as ids and tokens, by the name of the field or parameter. */
export type KnownValues = Readonly<Record<string, readonly string[]>>

const validString = ({ pattern, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<string> =>
  pattern
    ? fc.stringMatching(new RegExp(pattern))
    : fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 300) })

const validObject = (
  document: OpenApiDocument,
  schema: Schema,
  knownValues: KnownValues,
): fc.Arbitrary<unknown> => {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const values = knownValues[name] ?? []
    const generated = validValue(document, field, knownValues)
    return [name, values.length > 0 ? fc.oneof(fc.constantFrom(...values), generated) : generated] as const
  })
  return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] })
}

/** Generates values that are valid for a schema. */
const validValue = (
  document: OpenApiDocument,
  unresolved: Schema,
  knownValues: KnownValues = {},
): fc.Arbitrary<unknown> => {
  const schema = document.resolve(unresolved)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => validValue(document, each, knownValues)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return validString(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000_000 })
    case 'number':
      return fc.double({ noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(validValue(document, schema.items ?? {}, knownValues), {
        minLength: schema.minItems ?? 0,
        maxLength: 3,
      })
    case 'object':
      return validObject(document, schema, knownValues)
    case undefined:
    default:
      return fc.jsonValue()
  }
}

/** Generates JSON bodies that are not objects, or objects in which some fields are unexpected, missing or unknown. */
const invalidBody = (validBody: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 1, arbitrary: unexpectedValue },
    {
      weight: 5,
      arbitrary: fc
        .tuple(
          validBody,
          fc.array(fc.tuple(fc.nat(9), fc.option(unexpectedValue, { nil: undefined })), { maxLength: 3 }),
          fc.nat(9),
        )
        .map(([body, changes, extra]) => {
          const fields = Object.entries(body as object) as [string, unknown][]
          for (const [index, value] of changes) {
            const field = fields[index % fields.length]
            if (field) field[1] = value
            else fields.push([massAssignmentFields[extra % massAssignmentFields.length] ?? '', value])
          }
          if (extra < massAssignmentFields.length) fields.push([massAssignmentFields[extra] ?? '', 'admin'])
          // Assigning a field named __proto__ would change the prototype instead.
          return Object.fromEntries(fields)
        }),
    },
  )

export interface RequestInput {
  parameters: Record<string, string>
  /** Query parameters in addition to `parameters`; a name may occur more than once. */
  extraQuery?: [name: string, value: string][]
  /** What the caller proves by headers of its own: that it is a certain guest, or a live wall. */
  headers?: Readonly<Record<string, string>>
  /** The body as it is sent. */
  body: string | undefined
  contentType: string
}

/** Creates an input that the operation accepts if the caller is authorised. */
export const createValidInput = ({ parameters, body }: Operation, knownValues: KnownValues): RequestInput => {
  const valueOf = (name: string): string => knownValues[name]?.[0] ?? ''
  const createObject = ({ properties = {}, required = [] }: Schema): Record<string, unknown> => {
    const names = Object.keys(properties).filter((name) => required.includes(name) || knownValues[name])
    return Object.fromEntries(names.map((name) => [name, createValue(name, properties[name] ?? {})]))
  }
  const createValue = (name: string, schema: Schema): unknown => {
    if (schema.type === 'array') return [createValue(name, schema.items ?? {})]
    if (schema.type === 'object') return createObject(schema)
    return schema.type === 'integer' ? (schema.minimum ?? 0) : valueOf(name)
  }
  return {
    parameters: Object.fromEntries(parameters.map(({ name }) => [name, valueOf(name)])),
    body: body && JSON.stringify(createObject(body)),
    contentType: 'application/json',
  }
}

/** Converts a value to text for a URL. `String(value)` would call a `toString` field of the value. */
const toParameterText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** Generates valid and invalid inputs of an operation, with `headers` or with false ones instead. */
export const requestInputs = (
  document: OpenApiDocument,
  { parameters, body, bodyType }: Operation,
  knownValues: KnownValues,
  headers: Readonly<Record<string, string>> = {},
): fc.Arbitrary<RequestInput> => {
  // Parameters are short because they are part of the request line: Node limits the request head to 16 kB.
  const valueOf = (name: string, schema: Schema): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...(knownValues[name] ?? ['1'])) },
      { weight: 1, arbitrary: validValue(document, schema).map(toParameterText) },
      {
        weight: 1,
        arbitrary: fc.oneof(
          unexpectedValue.map((value) => toParameterText(value).slice(0, 300)),
          fc.string({ unit: 'binary' }),
        ),
      },
    )
  const falseHeaders = fc.record(
    Object.fromEntries(Object.keys(headers).map((name) => [name, fc.stringMatching(/^[!-~]{0,300}$/)])),
  )
  const validBody = validValue(document, body ?? {}, knownValues)
  const jsonBody = fc.oneof(
    { weight: 4, arbitrary: validBody.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: invalidBody(validBody).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom(...malformedBodies) },
  )
  return fc.record({
    parameters: fc.record(
      Object.fromEntries(parameters.map(({ name, schema }) => [name, valueOf(name, schema)])),
      { requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name) },
    ),
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constant(headers) },
      { weight: 1, arbitrary: falseHeaders },
      { weight: 1, arbitrary: fc.constant({}) },
    ),
    body: body
      ? bodyType === 'application/json'
        ? jsonBody
        : validBody.map((value) => JSON.stringify(value))
      : fc.constant(undefined),
    contentType: fc.oneof(
      { weight: 15, arbitrary: fc.constant('application/json') },
      fc.constantFrom(...contentTypes),
    ),
  })
}
