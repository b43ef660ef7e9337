import { mongoOperators } from '@confetti/test-kit'
import type { Operation } from './openapi-document.ts'
import type { RequestInput } from './request-generators.ts'

type InjectionCase = [expectedStatus: number, input: RequestInput]

const operatorStrings = mongoOperators.map((operator) => JSON.stringify(operator))
const operatorSuffixes = ['[$ne]', '[$gt]', '[$where]', '[$in][]', '[]', '[0]', '.$ne', '$ne']

/** One of the values for each index: every field and parameter gets some, and all together get all of them. */
const pick = <T>(values: readonly T[], index: number): T => values[index % values.length] as T

/** What a query parameter with any text is answered with, if not by 400. */
const statusesOfTexts: Readonly<Record<string, number>> = {
  // It is an id, and a malformed id is like an unknown one.
  'listGuestUploads eventId': 404,
  'endOwnLink eventId': 404,
  // Guests may have any name.
  'listGallery credit': 200,
}

const injectIntoParameters = ({ id, parameters }: Operation, validInput: RequestInput): InjectionCase[] =>
  parameters.flatMap(({ name, in: location }, index): InjectionCase[] => {
    const seed = id.length + index
    const inputWith = (value: string): RequestInput => ({
      ...validInput,
      parameters: { ...validInput.parameters, [name]: value },
    })
    if (location === 'query')
      return [
        [statusesOfTexts[`${id} ${name}`] ?? 400, inputWith(pick(operatorStrings, seed))],
        // A parameter that occurs twice is parsed as a list.
        [400, { ...validInput, extraQuery: [[name, validInput.parameters[name] ?? '']] }],
      ]
    const unknownId = inputWith('f'.repeat(24))
    return [
      [404, inputWith(pick(operatorStrings, seed))],
      [404, inputWith(pick(operatorSuffixes, seed))],
      [404, { ...unknownId, extraQuery: [[name + pick(operatorSuffixes, seed), '']] }],
    ]
  })

/** Creates bodies in which an operator is appended to the name of one of these fields, which then lack it. */
const injectIntoFieldNames = (names: readonly string[], fields: Record<string, unknown>): unknown[] =>
  names.map((name, index) => {
    const { [name]: value, ...others } = fields
    return { ...others, [name + pick(operatorSuffixes, index)]: value }
  })

/** Creates bodies in which the value of a field is an operator or a list. */
const injectIntoFieldValues = (names: readonly string[], fields: Record<string, unknown>): unknown[] =>
  names.flatMap((name, index) =>
    [pick(mongoOperators, index), [fields[name] ?? '']].map((value) => ({ ...fields, [name]: value })),
  )

/** Creates bodies that are an operator as a whole, and so lack all fields. */
const injectAsWhole = (fields: Record<string, unknown>): unknown[] =>
  ['$or', '$and', '$nor'].map((operator) => ({ [operator]: [{}, fields] }))

const injectIntoBody = ({ body, bodyType }: Operation, validInput: RequestInput): InjectionCase[] => {
  if (!body) return []
  const { media, ...fields } = JSON.parse(validInput.body ?? '{}') as Record<string, unknown>
  const isForm = bodyType === 'multipart/form-data'
  const injectedNames = injectIntoFieldNames(Object.keys(fields), fields)
  const bodies = isForm
    ? injectedNames.map((each) => ({ ...(each as object), media }))
    : [
        ...injectedNames,
        ...injectAsWhole(fields),
        ...injectIntoFieldValues(Object.keys(body.properties ?? {}), fields),
      ]
  return bodies.map((each) => [400, { ...validInput, body: JSON.stringify(each) }])
}

const injectAsUrlEncodedForm = ({ body, bodyType }: Operation, validInput: RequestInput): InjectionCase[] => {
  const required = body?.required ?? []
  // Without required fields the body may be absent.
  if (bodyType !== 'application/json' || required.length === 0) return []
  const fields = new URLSearchParams(required.map((name) => [`${name}[$ne]`, '']))
  return [[400, { ...validInput, body: `${fields}`, contentType: 'application/x-www-form-urlencoded' }]]
}

/** Creates inputs with MongoDB operators in place of values, each with the expected status of the response. */
export const createOperatorInjections = (operation: Operation, validInput: RequestInput): InjectionCase[] => [
  ...injectIntoParameters(operation, validInput),
  ...injectIntoBody(operation, validInput),
  ...injectAsUrlEncodedForm(operation, validInput),
]

/** Returns the names of the parameters with operators appended, which are unknown names for the operation. */
export const parameterNamesWithOperators = ({ parameters }: Operation): string[] =>
  parameters.map(({ name }, index) => name + pick(operatorSuffixes, index))
