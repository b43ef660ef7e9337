import { MB, type Upload, type UploadTotal } from '@confetti/contracts'
import { getFormatLocale } from '@confetti/i18n'
import { getText } from './texts.ts'

// The kind, name, size and time of an upload.

const VIDEO_NAME = /(mp4|mov|quicktime)$/i

/** Whether an upload is shown in a player: by the end of its name, otherwise by its content type. */
export const isVideo = ({
  originalName,
  contentType,
}: Pick<Upload, 'originalName' | 'contentType'>): boolean =>
  VIDEO_NAME.test(originalName) || contentType.startsWith('video/')

/** The name of an upload in a zip, unique within its event. */
export const nameInZip = ({ filename }: Pick<Upload, 'filename'>): string =>
  filename.slice(filename.lastIndexOf('/') + 1)

const GB = 1_024 * MB

/** A number with separators and at most one decimal, such as '1,234' or '3.2'. */
export const formatCount = (count: number): string =>
  count.toLocaleString(getFormatLocale(), { maximumFractionDigits: 1 })

/** A size in a unit, such as '3.2': 0 for nothing, and at least 0.1 for anything else. */
export const formatUnits = (bytes: number, unit: number): string =>
  formatCount(bytes === 0 ? 0 : Math.max(0.1, bytes / unit))

/** A size in megabytes or gigabytes, such as '5.6 GB'. */
export const formatSize = (bytes: number): string =>
  bytes >= GB
    ? getText('album.gigabytes', { size: formatUnits(bytes, GB) })
    : getText('common.megabytes', { size: formatUnits(bytes, MB) })

/** The files and bytes of an event; undefined until all of its uploads are listed. */
export const albumTotal = ({
  uploads,
  isComplete,
}: {
  uploads: readonly Upload[]
  isComplete: boolean
}): Pick<UploadTotal, 'files' | 'bytes'> | undefined =>
  isComplete ? { files: uploads.length, bytes: uploads.reduce((sum, { size }) => sum + size, 0) } : undefined

/** A size in megabytes with two decimals, such as '3.40 MB'. */
export const formatMegabytes = (bytes: number): string => {
  const size = (bytes / MB).toLocaleString(getFormatLocale(), {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    useGrouping: false,
  })
  return getText('common.megabytes', { size })
}

/** The day and time of day that an instant with an offset has there: when an upload was taken, on the clocks of its event. */
export const formatLocalTime = (time: string): string =>
  new Date(`${time.slice(0, 19)}Z`).toLocaleString(getFormatLocale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })

/** A day and time of day in the browser's time zone. */
export const formatTime = (time: string): string => new Date(time).toLocaleString(getFormatLocale())
