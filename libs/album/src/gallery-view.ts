import type { Upload } from '@confetti/contracts'
import { isVideo } from './file-names.ts'

/** By upload time, newest first; or by capture time, oldest first. */
type UploadOrder = 'uploaded' | 'taken'

/** Which uploads to show; a field that is undefined matches all. */
export interface UploadFilter {
  /** The credit. */
  guest: string | undefined
  type: 'photo' | 'video' | undefined
  status: Upload['status'] | undefined
}

export interface GalleryView extends UploadFilter {
  order: UploadOrder
}

export const noFilter: UploadFilter = { guest: undefined, type: undefined, status: undefined }
export const defaultView: GalleryView = { ...noFilter, order: 'uploaded' }

export const isFiltered = ({ guest, type, status }: UploadFilter): boolean =>
  guest !== undefined || type !== undefined || status !== undefined

export const filterUploads = (
  uploads: readonly Upload[],
  { guest, type, status }: UploadFilter,
): readonly Upload[] =>
  uploads.filter(
    (upload) =>
      (guest === undefined || upload.photoCredit === guest) &&
      (type === undefined || isVideo(upload) === (type === 'video')) &&
      (status === undefined || upload.status === status),
  )

/** When an upload was taken, or uploaded if that is unknown, in milliseconds. */
const captureTime = ({ takenAt, uploadedAt }: Upload): number => {
  const time = Date.parse(takenAt ?? uploadedAt)
  return Number.isNaN(time) ? Date.parse(uploadedAt) : time
}

/** Sorts uploads, which come newest first. */
const sortUploads = (uploads: readonly Upload[], order: UploadOrder): readonly Upload[] => {
  if (order === 'uploaded') return uploads
  return uploads
    .map((upload) => ({ upload, time: captureTime(upload) }))
    .sort((one, other) => one.time - other.time || (one.upload._id < other.upload._id ? -1 : 1))
    .map(({ upload }) => upload)
}

/** The uploads that a view shows, in its order. `uploads` are newest first. */
export const arrangeUploads = (uploads: readonly Upload[], view: GalleryView): readonly Upload[] =>
  sortUploads(isFiltered(view) ? filterUploads(uploads, view) : uploads, view.order)

/** How many uploads each guest has, in alphabetical order. */
export const countByGuest = (uploads: readonly Upload[]): (readonly [guest: string, count: number])[] => {
  const counts = new Map<string, number>()
  for (const { photoCredit } of uploads) counts.set(photoCredit, (counts.get(photoCredit) ?? 0) + 1)
  return [...counts].sort(([one], [other]) => one.localeCompare(other, undefined, { numeric: true }))
}
