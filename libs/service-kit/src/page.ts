import { Types, type Model, type ProjectionType, type QueryFilter } from 'mongoose'
import { invalid } from './errors.ts'

/** A position in a list that is ordered by a time, then by id. */
export interface Position {
  at: Date
  _id: string
}

export interface PageRequest {
  /** All items without it. */
  limit?: number | undefined
  after?: Position | undefined
}

/** The cursor with which a client requests what follows `position`; opaque to clients. */
export const encodeCursor = ({ at, _id }: Position): string =>
  Buffer.from(`${at.getTime()}.${_id}`).toString('base64url')

/** The position of a cursor. Throws `invalid` if `encodeCursor` did not make it. */
export const decodeCursor = (cursor: string): Position => {
  const match = /^(\d{1,15})\.([0-9a-f]{24})$/.exec(Buffer.from(cursor, 'base64url').toString())
  if (!match?.[1] || !match[2]) throw invalid('The cursor is not one of ours.', { code: 'bad_cursor' })
  return { at: new Date(Number(match[1])), _id: match[2] }
}

/**
 * Reads one page of the documents that match `filter`, in the order of the field `time`, newest first by default, and the
 * position after which the next page starts. An index on the fields of `filter`, `time` and `_id` serves it.
 */
export const findPage = async <D extends { _id: Types.ObjectId }>(
  model: Model<D>,
  {
    filter,
    time,
    first = 'newest',
    projection,
  }: {
    filter: QueryFilter<D>
    time: keyof D & string
    first?: 'newest' | 'oldest'
    projection: ProjectionType<D>
  },
  { limit, after }: PageRequest,
): Promise<{ documents: D[]; next?: Position }> => {
  const [beyond, direction] = first === 'newest' ? (['$lt', -1] as const) : (['$gt', 1] as const)
  const afterPosition = after && {
    $or: [
      { [time]: { [beyond]: after.at } },
      { [time]: after.at, _id: { [beyond]: new Types.ObjectId(after._id) } },
    ],
  }
  const query = model
    .find({ ...filter, ...afterPosition }, projection)
    .sort({ [time]: direction, _id: direction })
  const documents = (await (limit ? query.limit(limit + 1) : query).lean()) as D[]
  const last = limit && documents.length > limit ? documents[limit - 1] : undefined
  if (!last) return { documents }
  return {
    documents: documents.slice(0, limit),
    next: { at: last[time] as Date, _id: last._id.toHexString() },
  }
}
