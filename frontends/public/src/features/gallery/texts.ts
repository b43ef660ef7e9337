import type { GalleryUpload } from '@confetti/contracts'
import { getDateLocale, type Locale } from '@confetti/i18n'
import type { Text } from '../../texts.ts'

export const isVideo = ({ durationSeconds }: Pick<GalleryUpload, 'durationSeconds'>): boolean =>
  durationSeconds !== undefined

/** What an upload is, for those who cannot see it: 'Photo by Aunt Marta'. */
export const describeUpload = (t: Text, upload: GalleryUpload): string =>
  t(isVideo(upload) ? 'gallery.videoBy' : 'gallery.photoBy', { credit: upload.photoCredit })

/** A position such as '3 of 120', or '3' while the number of uploads is unknown. */
export const formatPosition = (t: Text, position: number, total: number | undefined): string =>
  total === undefined ? t('gallery.position', { position }) : t('gallery.positionOf', { position, total })

/** A duration such as '1:05'. */
export const formatDuration = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

/** An instant in the time zone of the event: 'Monday, 14 June 2027 at 20:00'. */
export const formatInstant = (instant: string, timeZone = 'UTC', locale: Locale = 'en'): string => {
  const format = (zone: string): string =>
    new Intl.DateTimeFormat(getDateLocale(locale), {
      dateStyle: 'full',
      timeStyle: 'short',
      timeZone: zone,
    }).format(Date.parse(instant))
  try {
    return format(timeZone)
  } catch {
    // A zone that this browser does not know yet.
    return format('UTC')
  }
}
