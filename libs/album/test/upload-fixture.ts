import type { Upload } from '@confetti/contracts'

/** The upload with a number in a list: 1 is the oldest. */
export const uploadFixture = (number: number, changes: Partial<Upload> = {}): Upload => ({
  _id: number.toString(16).padStart(24, '0'),
  eventId: 'e'.repeat(24),
  url: `http://blob.test/${number}/original`,
  filename: `${'e'.repeat(24)}/photo-${number}.jpg`,
  originalName: `photo-${number}.jpg`,
  photoCredit: 'Table 4',
  uploadedAt: new Date(Date.UTC(2027, 5, 12, 20, 0, number)).toISOString(),
  contentType: 'image/jpeg',
  size: 1_000,
  sha256: 'a'.repeat(64),
  status: 'ready',
  visibility: 'visible',
  thumbnailUrl: `http://blob.test/${number}/thumbnail.webp`,
  previewUrl: `http://blob.test/${number}/preview.webp`,
  width: 400,
  height: 300,
  ...changes,
})

/** `count` uploads in the order of the server: newest first. */
export const uploadFixtures = (count: number): Upload[] =>
  Array.from({ length: count }, (_, index) => uploadFixture(count - index))

/** The same uploads with fresh read links. */
export const withFreshLinks = (uploads: readonly Upload[]): Upload[] =>
  uploads.map((upload) => ({ ...upload, url: `${upload.url}?fresh` }))

/** A page of a list of uploads, which come newest first, as the server would answer. */
export const pageOf = (
  uploads: readonly Upload[],
  { limit, after }: { limit: number; after?: string | undefined },
) => {
  const rest = after ? uploads.filter(({ _id }) => _id < after) : uploads
  const page = rest.slice(0, limit)
  return { uploads: page, ...(page.length < rest.length && { nextCursor: page.at(-1)?._id }) }
}
