import { MB, mediaTypeRows } from '@confetti/contracts'
import { getDateLocale, getLocale } from '@confetti/i18n'
import { PageError } from '@confetti/ui/failure-text'
import { getText, type Text } from '../../texts.ts'

const types: readonly string[] = mediaTypeRows.map(({ type }) => type)

// Names of files that are accepted by their first bytes.
const otherTypes = mediaTypeRows.flatMap(({ otherNames }) => otherNames)
const allExtensions = mediaTypeRows.flatMap(({ extensions, otherExtensions = [] }) =>
  [...extensions, ...otherExtensions].map((extension) => `.${extension}`),
)

/** The `accept` attribute of the file input. It has extensions as well, because browsers do not know all the types. */
export const getAccept = (userAgent: string): string => {
  const isAndroid = userAgent.includes('Android')
  const isWebKit = userAgent.includes('AppleWebKit') && !userAgent.includes('Chrome/')
  return [
    ...[...types, ...otherTypes],
    // An extension that an Android phone does not know would open another chooser than that of photos.
    ...(isAndroid ? [] : allExtensions),
    // Any photo or video can be chosen, and the page says what to send instead of those that it refuses. But Safari, and
    // all browsers of iPhones, make a JPEG of a photo whose type is not listed.
    ...(isWebKit ? [] : ['image/*', 'video/*']),
    // Since Android 14, Chrome opens a chooser without a camera for photos and videos alone. Firefox has a camera anyway.
    ...(isAndroid && !userAgent.includes('Firefox') ? ['android/allowCamera'] : []),
  ].join(',')
}

/** What an event accepts. */
export interface FileLimits {
  maxFileBytes: number
  /** The bytes that the event still accepts, if they are limited. */
  remainingBytes?: number | undefined
  types: readonly string[]
}

const getExtension = (name: string): string => name.slice(name.lastIndexOf('.')).toLowerCase()

const getTypesOfExtension = (extension: string): string[] =>
  mediaTypeRows.flatMap((row) => (row.extensions.includes(extension.slice(1)) ? row.type : []))

// Any supported file.
const defaultLimits: FileLimits = { maxFileBytes: Infinity, types }

/**
 * Whether the type or the extension of a file is supported. The extension counts as well, because many phones report no
 * type for HEIC.
 */
export const isSupported = (
  { name, type }: Pick<File, 'name' | 'type'>,
  { types: accepted }: Pick<FileLimits, 'types'> = defaultLimits,
): boolean =>
  [type.toLowerCase(), ...getTypesOfExtension(getExtension(name))].some((each) => accepted.includes(each))

/** Why a file is not sent whose first bytes are of no supported type. */
export class UnsupportedFileError extends PageError {}

/** Returns why a file cannot be uploaded, or undefined if it can. */
export const validateFile = (
  file: Pick<File, 'name' | 'type' | 'size'>,
  limits: FileLimits = defaultLimits,
): PageError | undefined => {
  const { size } = file
  const { maxFileBytes, remainingBytes = Infinity } = limits
  if (!isSupported(file, limits)) return new PageError(() => getText('upload.file.unsupported'))
  if (size === 0) return new PageError(() => getText('upload.file.empty'))
  if (size > maxFileBytes)
    return new PageError(() => getText('upload.file.tooLarge', { megabytes: Math.floor(maxFileBytes / MB) }))
  if (size > remainingBytes) return new PageError(() => getText('upload.file.noRoom'))
  return undefined
}

/** Whether two selected files are the same one, as far as their metadata shows. */
export const isSameFile = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified

export const isVideoFile = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  type.startsWith('video/') ||
  getTypesOfExtension(getExtension(name)).some((each) => each.startsWith('video/'))

/** A size in MB with two decimals, as the specification says. */
export const formatSize = (t: Text, bytes: number): string => {
  const format = new Intl.NumberFormat(getDateLocale(getLocale()), {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    useGrouping: false,
  })
  return t('common.megabytes', { size: format.format(bytes / MB) })
}

const READ_TIMEOUT_MS = 5_000

/** Whether the file can be read. Browsers report a deleted file, or one that is only in a cloud, as a network error. */
export const isReadable = (file: File): Promise<boolean> =>
  Promise.race([
    file
      .slice(0, 1)
      .arrayBuffer()
      .then(
        () => true,
        () => false,
      ),
    new Promise<boolean>((resolve) => setTimeout(resolve, READ_TIMEOUT_MS, true)),
  ])
