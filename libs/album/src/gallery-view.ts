import type { Upload, UploadVisibility } from '@confetti/contracts'
import { getFormatLocale } from '@confetti/i18n'
import { isVideo } from './file-names.ts'

/** By upload time, newest first; or by capture time, oldest first. */
type UploadOrder = 'uploaded' | 'taken'

/** Which uploads to show; a field that is undefined matches all. */
export interface UploadFilter {
  /** The credit. */
  guest: string | undefined
  type: 'photo' | 'video' | undefined
  status: Upload['status'] | undefined
  visibility: UploadVisibility | undefined
}

export interface GalleryView extends UploadFilter {
  order: UploadOrder
}

export const noFilter: UploadFilter = {
  guest: undefined,
  type: undefined,
  status: undefined,
  visibility: undefined,
}
export const defaultView: GalleryView = { ...noFilter, order: 'uploaded' }

export const isFiltered = ({ guest, type, status, visibility }: UploadFilter): boolean =>
  guest !== undefined || type !== undefined || status !== undefined || visibility !== undefined

/** Whether guests can see an upload. Services before 0.2 show all. */
export const getVisibility = ({ visibility = 'visible' }: Upload): UploadVisibility => visibility

export const filterUploads = (
  uploads: readonly Upload[],
  { guest, type, status, visibility }: UploadFilter,
): readonly Upload[] =>
  uploads.filter(
    (upload) =>
      (guest === undefined || upload.photoCredit === guest) &&
      (type === undefined || isVideo(upload) === (type === 'video')) &&
      (status === undefined || upload.status === status) &&
      (visibility === undefined || getVisibility(upload) === visibility),
  )

const TAKEN_AT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(Z|[+-]\d\d:\d\d)?$/

/**
 * When an upload was taken, or uploaded if that is unknown, in seconds. This and the order by it must be the same as in
 * archives: `getEntryTime` of the uploads service.
 */
const captureTime = ({ takenAt, uploadedAt }: Upload): number => {
  const [, local, zone = 'Z'] = TAKEN_AT.exec(takenAt ?? '') ?? []
  // Without a zone, the order is that of the clocks of the cameras.
  const taken = local ? Date.parse(`${local}${zone}`) : NaN
  return Math.floor((Number.isNaN(taken) ? Date.parse(uploadedAt) : taken) / 1_000)
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
  const { compare } = new Intl.Collator(getFormatLocale(), { numeric: true })
  return [...counts].sort(([one], [other]) => compare(one, other))
}
