import type { GalleryUpload } from '@confetti/contracts'

export const texts = {
  loading: 'Loading photos...',
  loadFailed: "Couldn't load the gallery",
  offTitle: 'No gallery here',
  off: 'The organisers of this event keep its photos to themselves.',
  notOpenYet: "The gallery isn't open yet. This page shows the photos as soon as it is.",
  empty: 'No photos yet.',
  emptyHint: 'Send the first one!',
  sendPhotos: 'Send photos',
  loadingMore: 'Loading more...',
  moreFailed: "Couldn't load more photos.",
  retry: 'Retry',
  countdown: 'The gallery opens in',
  close: 'Close',
  previous: 'Previous',
  next: 'Next',
  removed: 'This photo is no longer in the gallery.',
  noVideo: "This video can't be played here.",
  videoFailed: "Couldn't play this video. Try again.",
  report: 'Report',
  reportTitle: 'Report this photo?',
  reportText: 'The organisers check what guests report. They do not see who you are.',
  reportConfirm: 'Report it',
  reporting: 'Reporting...',
  reported: 'Thanks. The organisers will check it.',
  cancel: 'Cancel',
}

const formatCount = (count: number): string => new Intl.NumberFormat('en').format(count)

export const formatNewCount = (count: number): string => `${formatCount(count)} new`

export const isVideo = ({ durationSeconds }: Pick<GalleryUpload, 'durationSeconds'>): boolean =>
  durationSeconds !== undefined

/** What an upload is, for those who cannot see it: 'Photo by Aunt Marta'. */
export const describeUpload = (upload: GalleryUpload): string =>
  `${isVideo(upload) ? 'Video' : 'Photo'} by ${upload.photoCredit}`

/** A position such as '3 of 120', or '3' while the number of uploads is unknown. */
export const formatPosition = (position: number, total: number | undefined): string =>
  total === undefined ? formatCount(position) : `${formatCount(position)} of ${formatCount(total)}`

/** A duration such as '1:05'. */
export const formatDuration = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

/** An instant in the time zone of the event: 'Monday, 14 June 2027 at 20:00'. */
export const formatInstant = (instant: string, timeZone = 'UTC'): string => {
  const format = (zone: string): string =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: zone }).format(
      Date.parse(instant),
    )
  try {
    return format(timeZone)
  } catch {
    // A zone that this browser does not know yet.
    return format('UTC')
  }
}
