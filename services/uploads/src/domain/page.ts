import { invalid } from '@confetti/service-kit'

/** A place in a list that is ordered newest first. */
export interface Position {
  uploadedAt: Date
  _id: string
}

export interface Page {
  limit?: number | undefined
  after?: Position | undefined
}

/** The cursor that clients hand back to go on after `position`; opaque to them. */
export const cursorOf = ({ uploadedAt, _id }: Position): string =>
  Buffer.from(`${uploadedAt.getTime()}.${_id}`).toString('base64url')

/** Throws `invalid` for a cursor that is not one of ours. */
export const positionOf = (cursor: string): Position => {
  const match = /^(\d{1,15})\.([0-9a-f]{24})$/.exec(Buffer.from(cursor, 'base64url').toString())
  if (!match?.[1] || !match[2]) throw invalid('The cursor is not one of ours.', { code: 'bad_cursor' })
  return { uploadedAt: new Date(Number(match[1])), _id: match[2] }
}
