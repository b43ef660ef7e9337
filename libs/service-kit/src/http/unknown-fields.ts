import type { z } from 'zod'
import { invalid, type AppError } from '../errors.ts'

// Bounds the size of the response.
const MAX_NAMED = 20
const MAX_NAME_CHARACTERS = 100

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The paths of the fields of `value` that `type` does not have, in nested objects, too. */
export const findUnknownFields = (type: z.ZodType, value: unknown, path = ''): string[] => {
  const { def } = (type as unknown as z.core.$ZodTypes)._zod
  const find = (inner: z.core.$ZodType, field: unknown, name: string | number): string[] =>
    findUnknownFields(inner as z.ZodType, field, path ? `${path}.${name}` : String(name))

  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default')
    return findUnknownFields(def.innerType as z.ZodType, value, path)
  if (def.type === 'array' && Array.isArray(value))
    return value.flatMap((item, index) => find(def.element, item, index))
  if (!isObject(value)) return []
  const fields = Object.entries(value)
  if (def.type === 'record') return fields.flatMap(([name, field]) => find(def.valueType, field, name))
  if (def.type !== 'object') return []
  return fields.flatMap(([name, field]) => {
    const known = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined
    return known ? find(known, field, name) : [path ? `${path}.${name}` : name]
  })
}

/** The error for a body with these fields, of which there is at least one. */
export const unknownFields = (fields: readonly string[]): AppError => {
  const names = fields.slice(0, MAX_NAMED).map((name) => name.slice(0, MAX_NAME_CHARACTERS))
  return invalid(`The request has fields that do not exist: ${names.join(', ')}.`, {
    code: 'unknown_field',
    details: names.map((field) => ({ field, message: 'This field does not exist.', code: 'unknown_field' })),
  })
}
