import { MB, mediaTypes } from '@confetti/contracts'

const extensionsByType: Readonly<Record<string, readonly string[]>> = mediaTypes
const types = Object.keys(mediaTypes)
const extensions = Object.values(mediaTypes)
  .flat()
  .map((extension) => `.${extension}`)

/** The `accept` attribute of the file input. It has extensions as well, because phones do not know all the types. */
export const accept = [...types, ...extensions].join(',')

/** What an event accepts. */
export interface FileLimits {
  maxFileBytes: number
  /** The bytes that the event still has room for, if they are limited. */
  remainingBytes?: number | undefined
  types: readonly string[]
}

const getExtension = (name: string): string => name.slice(name.lastIndexOf('.')).toLowerCase()

const getTypesOfExtension = (extension: string): string[] =>
  types.filter((type) => extensionsByType[type]?.some((each) => `.${each}` === extension))

// Events of older servers have no limits.
const defaultLimits: FileLimits = { maxFileBytes: Infinity, types }

/**
 * Returns why a file cannot be uploaded, or undefined if it can. The extension counts as well as the type, because many
 * phones report no type for HEIC.
 */
export const validateFile = (
  { name, type, size }: Pick<File, 'name' | 'type' | 'size'>,
  { maxFileBytes, remainingBytes = Infinity, types: accepted }: FileLimits = defaultLimits,
): string | undefined => {
  const possibleTypes = [type.toLowerCase(), ...getTypesOfExtension(getExtension(name))]
  if (!possibleTypes.some((each) => accepted.includes(each))) return "This file type isn't supported."
  if (size === 0) return 'The file is empty.'
  if (size > maxFileBytes) return `This file is larger than ${Math.floor(maxFileBytes / MB)} MB.`
  if (size > remainingBytes) return 'This event has no room left for this file.'
  return undefined
}

/** Whether two selected files are the same one, as far as their metadata shows. */
export const isSameFile = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified

export const isVideoFile = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  type.startsWith('video/') ||
  [...mediaTypes['video/mp4'], ...mediaTypes['video/quicktime']].some(
    (extension) => getExtension(name) === `.${extension}`,
  )

export const formatSize = (bytes: number): string => `${(bytes / MB).toFixed(2)} MB`
