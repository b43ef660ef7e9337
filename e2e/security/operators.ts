import { operators } from '@confetti/test-kit'
import type { Operation } from './api-document.ts'
import type { Call } from './api-inputs.ts'

type Expected = [status: number, input: Call]

const asTexts = operators.map((operator) => JSON.stringify(operator))
const endings = ['[$ne]', '[$gt]', '[$where]', '[$in][]', '[]', '[0]', '.$ne', '$ne']

const inParameters = ({ parameters }: Operation, plain: Call): Expected[] =>
  parameters.flatMap(({ name, in: place }): Expected[] => {
    const withValue = (value: string): Call => ({
      ...plain,
      parameters: { ...plain.parameters, [name]: value },
    })
    if (place === 'query')
      return [
        ...asTexts.map((text): Expected => [400, withValue(text)]),
        // A name that comes twice makes a list.
        [400, { ...plain, moreQuery: [[name, plain.parameters[name] ?? '']] }],
      ]
    const unknown = withValue('f'.repeat(24))
    return [
      ...[...asTexts, ...endings].map((text): Expected => [404, withValue(text)]),
      ...endings.map((ending): Expected => [404, { ...unknown, moreQuery: [[name + ending, '']] }]),
    ]
  })

/** Bodies in which the name of a field that is needed has an operator behind it. */
const withNames = (fields: Record<string, unknown>): unknown[] =>
  Object.keys(fields).flatMap((name) => {
    const { [name]: value, ...others } = fields
    return endings.map((ending) => ({ ...others, [name + ending]: value }))
  })

/** Bodies in which a field, or all of it, is an operator or a list. */
const withValues = (names: readonly string[], fields: Record<string, unknown>): unknown[] => [
  ...names.flatMap((name) =>
    [...operators, [fields[name] ?? '']].map((value) => ({ ...fields, [name]: value })),
  ),
  ...['$or', '$and', '$nor'].map((operator) => ({ [operator]: [{}, fields] })),
]

const inFields = ({ body, bodyType }: Operation, plain: Call): Expected[] => {
  if (!body) return []
  const { media, ...fields } = JSON.parse(plain.body ?? '{}') as Record<string, unknown>
  const isForm = bodyType === 'multipart/form-data'
  const bodies = isForm
    ? withNames(fields).map((each) => ({ ...(each as object), media }))
    : [...withNames(fields), ...withValues(Object.keys(body.properties ?? {}), fields)]
  return bodies.map((each) => [400, { ...plain, body: JSON.stringify(each) }])
}

const asWebForm = ({ body, bodyType }: Operation, plain: Call): Expected[] => {
  if (bodyType !== 'application/json') return []
  const fields = new URLSearchParams((body?.required ?? []).map((name) => [`${name}[$ne]`, '']))
  return [[400, { ...plain, body: `${fields}`, contentType: 'application/x-www-form-urlencoded' }]]
}

/** Calls with operators where the document has values, each with the status of its answer. */
export const operatorCalls = (operation: Operation, plain: Call): Expected[] => [
  ...inParameters(operation, plain),
  ...inFields(operation, plain),
  ...asWebForm(operation, plain),
]

/** The names of an operation's parameters with operators behind them, which makes them names of none. */
export const operatorNames = ({ parameters }: Operation): string[] =>
  parameters.flatMap(({ name }) => endings.map((ending) => name + ending))
