import fc from 'fast-check'
import type { ApiDocument, Operation, Schema } from './api-document.ts'
import { contentTypes, greedyNames, odd, oddTexts } from './odd-values.ts'

/** Values that mean something in the system under test, by the name of the field or parameter. */
export type Meaningful = Readonly<Record<string, readonly string[]>>

const ofText = ({ pattern, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<string> =>
  pattern
    ? fc.stringMatching(new RegExp(pattern))
    : fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 300) })

const ofObject = (document: ApiDocument, schema: Schema, meaningful: Meaningful): fc.Arbitrary<unknown> => {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const values = meaningful[name] ?? []
    const own = fitting(document, field, meaningful)
    return [name, values.length > 0 ? fc.oneof(fc.constantFrom(...values), own) : own] as const
  })
  return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] })
}

/** Values that are as a schema says. */
const fitting = (
  document: ApiDocument,
  unresolved: Schema,
  meaningful: Meaningful = {},
): fc.Arbitrary<unknown> => {
  const schema = document.resolve(unresolved)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return ofText(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000_000 })
    case 'number':
      return fc.double({ noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(fitting(document, schema.items ?? {}, meaningful), { maxLength: 3 })
    case 'object':
      return ofObject(document, schema, meaningful)
    case undefined:
    default:
      return fc.jsonValue()
  }
}

/** A JSON body in which some fields are odd, gone, or not known to us; or one that is no object at all. */
const oddBody = (fits: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 1, arbitrary: odd },
    {
      weight: 5,
      arbitrary: fc
        .tuple(
          fits,
          fc.array(fc.tuple(fc.nat(9), fc.option(odd, { nil: undefined })), { maxLength: 3 }),
          fc.nat(9),
        )
        .map(([body, changes, extra]) => {
          const fields = Object.entries(body as object) as [string, unknown][]
          for (const [place, value] of changes) {
            const field = fields[place % fields.length]
            if (field) field[1] = value
            else fields.push([greedyNames[extra % greedyNames.length] ?? '', value])
          }
          if (extra < greedyNames.length) fields.push([greedyNames[extra] ?? '', 'admin'])
          // Not by assignment, which would take __proto__ for the prototype.
          return Object.fromEntries(fields)
        }),
    },
  )

export interface Call {
  parameters: Record<string, string>
  /** In the query, behind the parameters. */
  moreQuery?: [name: string, value: string][]
  /** As it goes over the wire. */
  body: string | undefined
  contentType: string
}

/** A call of an operation that should come through, if somebody makes it who may. */
export const plainCallOf = ({ parameters, body }: Operation, meaningful: Meaningful): Call => {
  const valueOf = (name: string): string => meaningful[name]?.[0] ?? ''
  const fields = (body?.required ?? []).map((name) => {
    const isList = body?.properties?.[name]?.type === 'array'
    return [name, isList ? [valueOf(name)] : valueOf(name)] as const
  })
  return {
    parameters: Object.fromEntries(parameters.map(({ name }) => [name, valueOf(name)])),
    body: body && JSON.stringify(Object.fromEntries(fields)),
    contentType: 'application/json',
  }
}

/** A value as it stands in an address. Not by `String`, which asks the value itself: it may have an odd `toString`. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Calls of an operation: with what it expects, and with what it does not. */
export const callsOf = (
  document: ApiDocument,
  { parameters, body, bodyType }: Operation,
  meaningful: Meaningful,
): fc.Arbitrary<Call> => {
  // Short, as all of it stands in the request's first line, of which Node reads 16 kB.
  const valueOf = (name: string, schema: Schema): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...(meaningful[name] ?? ['1'])) },
      { weight: 1, arbitrary: fitting(document, schema).map(textOf) },
      {
        weight: 1,
        arbitrary: fc.oneof(
          odd.map((value) => textOf(value).slice(0, 300)),
          fc.string({ unit: 'binary' }),
        ),
      },
    )
  const fits = fitting(document, body ?? {}, meaningful)
  const texts = fc.oneof(
    { weight: 4, arbitrary: fits.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: oddBody(fits).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom(...oddTexts) },
  )
  return fc.record({
    parameters: fc.record(
      Object.fromEntries(parameters.map(({ name, schema }) => [name, valueOf(name, schema)])),
      { requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name) },
    ),
    body: body
      ? bodyType === 'application/json'
        ? texts
        : fits.map((value) => JSON.stringify(value))
      : fc.constant(undefined),
    contentType: fc.oneof(
      { weight: 15, arbitrary: fc.constant('application/json') },
      fc.constantFrom(...contentTypes),
    ),
  })
}
