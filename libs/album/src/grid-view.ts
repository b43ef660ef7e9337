import { useMemo, useState } from 'react'
import type { Upload, UploadOrder, UploadVisibility } from '@confetti/contracts'
import { getFormatLocale } from '@confetti/i18n'
import { countNewer } from './upload-order.ts'
import { isVideo } from './upload.ts'

// What the photo grid shows: order, filter, visibility, and new uploads, which are deferred.

/** Which uploads to show; a field that is undefined matches all. */
interface UploadFilter {
  credit: string | undefined
  type: 'photo' | 'video' | undefined
  status: Upload['status'] | undefined
  visibility: UploadVisibility | undefined
}

export interface GridView extends UploadFilter {
  order: UploadOrder
}

export const noFilter: UploadFilter = {
  credit: undefined,
  type: undefined,
  status: undefined,
  visibility: undefined,
}
export const defaultView: GridView = { ...noFilter, order: 'uploaded' }

export const isFiltered = ({ credit, type, status, visibility }: UploadFilter): boolean =>
  credit !== undefined || type !== undefined || status !== undefined || visibility !== undefined

export const filterUploads = (
  uploads: readonly Upload[],
  { credit, type, status, visibility }: UploadFilter,
): readonly Upload[] =>
  uploads.filter(
    (upload) =>
      (credit === undefined || upload.photoCredit === credit) &&
      (type === undefined || isVideo(upload) === (type === 'video')) &&
      (status === undefined || upload.status === status) &&
      (visibility === undefined || upload.visibility === visibility),
  )

/** When an upload was taken, or uploaded if that is unknown: as in archives, and as the API orders by capture time. */
const captureTime = ({ takenAt, uploadedAt }: Upload): number => Date.parse(takenAt ?? uploadedAt)

/** Sorts uploads, which come newest first. */
const sortUploads = (uploads: readonly Upload[], order: UploadOrder): readonly Upload[] => {
  if (order === 'uploaded') return uploads
  return uploads
    .map((upload) => ({ upload, time: captureTime(upload) }))
    .sort((one, other) => one.time - other.time || (one.upload._id < other.upload._id ? -1 : 1))
    .map(({ upload }) => upload)
}

/** The uploads that a view shows, in its order. `uploads` are newest first. */
export const arrangeUploads = (uploads: readonly Upload[], view: GridView): readonly Upload[] =>
  sortUploads(isFiltered(view) ? filterUploads(uploads, view) : uploads, view.order)

/** How many uploads each credit has, in alphabetical order. */
export const countByCredit = (uploads: readonly Upload[]): (readonly [credit: string, count: number])[] => {
  const counts = new Map<string, number>()
  for (const { photoCredit } of uploads) counts.set(photoCredit, (counts.get(photoCredit) ?? 0) + 1)
  const { compare } = new Intl.Collator(getFormatLocale(), { numeric: true })
  return [...counts].sort(([one], [other]) => compare(one, other))
}

/** Changes the visibility of uploads. */
export type ChangeVisibility = (uploads: readonly Upload[], visibility: UploadVisibility) => void

export interface VisibilityAction {
  kind: 'approve' | 'show' | 'hide'
  visibility: UploadVisibility
}

const approve: VisibilityAction = { kind: 'approve', visibility: 'visible' }
const show: VisibilityAction = { kind: 'show', visibility: 'visible' }
const hide: VisibilityAction = { kind: 'hide', visibility: 'hidden' }

const actions: Readonly<Record<UploadVisibility, readonly VisibilityAction[]>> = {
  visible: [hide],
  pending: [approve, hide],
  hidden: [show],
}

/** What can be done about the visibility of an upload. */
export const getVisibilityActions = (upload: Upload): readonly VisibilityAction[] =>
  actions[upload.visibility]

/** What can be done about the visibility of some of the uploads, with those that it applies to. */
export const groupVisibilityActions = (
  uploads: readonly Upload[],
): readonly (VisibilityAction & { uploads: readonly Upload[] })[] =>
  [approve, show, hide]
    .map((action) => ({
      ...action,
      uploads: uploads.filter((upload) => getVisibilityActions(upload).includes(action)),
    }))
    .filter((group) => group.uploads.length > 0)

/**
 * Holds new uploads back while the page is scrolled down, so that the cards on the screen do not move.
 * Returns the uploads to show, the new ones that are deferred, and a function that shows these.
 */
export const useDeferredUploads = (uploads: readonly Upload[], isScrolledDown: boolean) => {
  const [firstShown, setFirstShown] = useState<Upload>()
  if (!isScrolledDown && firstShown !== uploads[0]) setFirstShown(uploads[0])
  const deferredCount = isScrolledDown && firstShown ? countNewer(firstShown, uploads) : 0
  const current = useMemo(
    () => (deferredCount > 0 ? uploads.slice(deferredCount) : uploads),
    [uploads, deferredCount],
  )
  const deferred = useMemo(() => uploads.slice(0, deferredCount), [uploads, deferredCount])
  return {
    current,
    deferred,
    showDeferred: (): void => setFirstShown(uploads[0]),
  }
}
