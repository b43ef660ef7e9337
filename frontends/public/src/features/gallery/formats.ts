import type { Medium } from '@confetti/album/medium'
import { isTimeGuessed, type GalleryUpload, type GuestUpload } from '@confetti/contracts'
import { getFormatLocale } from '@confetti/i18n'
import type { Text } from '../../texts.ts'
import { formatIn } from './format-instant.ts'

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

/**
 * When an upload was taken, in the time zone of the event, or uploaded if that is unknown. What only the name of its file or
 * the guest's device says may be wrong: 'Around 14 June 2027, 12:00'.
 */
export const formatTime = (t: Text, upload: GalleryUpload, timeZone = 'UTC'): string => {
  const format = { dateStyle: 'medium', timeStyle: 'short' } as const
  const time = formatIn(timeZone, upload.takenAt ?? upload.uploadedAt, getFormatLocale(), format)
  return isTimeGuessed(upload) ? t('gallery.takenAround', { time }) : time
}

/** An upload in a large size. A video without its web rendition shows its poster. */
export const toMedium = (t: Text, upload: GalleryUpload | GuestUpload, label: string): Medium => {
  const { width, height, thumbnailUrl, previewUrl, videoUrl } = upload
  if (!isVideo(upload)) return { label, width, height, thumbnailUrl, pictureUrl: previewUrl }
  return {
    label,
    thumbnailUrl,
    pictureUrl: previewUrl,
    note: t('gallery.noVideo'),
    video: videoUrl
      ? { label, src: videoUrl, poster: previewUrl, preload: 'none', failedText: t('gallery.videoFailed') }
      : undefined,
  }
}
