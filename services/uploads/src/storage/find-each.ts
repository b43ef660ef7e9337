import type { UploadDocument, UploadModel } from './upload-model.ts'

const QUERIES_AT_ONCE = 10

/**
 * The documents whose `field` has one of `values`, without their outbox. One query for each value: FerretDB uses an
 * index for equality only, and reads the whole collection for `$in` and `$or`.
 */
export const findEach = async <Field extends '_id' | 'contentKey'>(
  model: UploadModel,
  field: Field,
  values: readonly UploadDocument[Field][],
) => {
  const find = (value: UploadDocument[Field]) => model.find({ [field]: value }, { outbox: 0 }).lean()
  const found: Awaited<ReturnType<typeof find>> = []
  for (let start = 0; start < values.length; start += QUERIES_AT_ONCE)
    found.push(...(await Promise.all(values.slice(start, start + QUERIES_AT_ONCE).map(find))).flat())
  return found
}
