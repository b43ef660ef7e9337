import type { Upload } from '@confetti/contracts'

/** An upload of `place` in a list: 1 is the oldest. */
export const someUpload = (place: number, changes: Partial<Upload> = {}): Upload => ({
  _id: place.toString(16).padStart(24, '0'),
  eventId: 'e'.repeat(24),
  url: `http://blob.test/${place}/original`,
  filename: `${'e'.repeat(24)}/photo-${place}.jpg`,
  originalName: `photo-${place}.jpg`,
  photoCredit: 'Table 4',
  uploadedAt: new Date(Date.UTC(2027, 5, 12, 20, 0, place)).toISOString(),
  contentType: 'image/jpeg',
  size: 1_000,
  sha256: 'a'.repeat(64),
  status: 'ready',
  thumbnailUrl: `http://blob.test/${place}/thumbnail.webp`,
  previewUrl: `http://blob.test/${place}/preview.webp`,
  width: 400,
  height: 300,
  ...changes,
})

/** So many uploads as the server lists them: newest first. */
export const someUploads = (count: number): Upload[] =>
  Array.from({ length: count }, (_, index) => someUpload(count - index))

/** The same with links that were made anew. */
export const relinked = (uploads: readonly Upload[]): Upload[] =>
  uploads.map((upload) => ({ ...upload, url: `${upload.url}?fresh` }))
