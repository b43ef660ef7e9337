import { MB, mediaTypes } from '@confetti/contracts'

const types = Object.keys(mediaTypes)
const extensions = Object.values(mediaTypes)
  .flat()
  .map((extension) => `.${extension}`)

/** The `accept` attribute of the file input. It has extensions as well, because phones do not know all the types. */
export const accept = [...types, ...extensions].join(',')

const getExtension = (name: string): string => name.slice(name.lastIndexOf('.')).toLowerCase()

/**
 * Returns why a file cannot be uploaded, or undefined if it can. The extension counts as well as the type, because many
 * phones report no type for HEIC.
 */
export const validateFile = ({
  name,
  type,
  size,
}: Pick<File, 'name' | 'type' | 'size'>): string | undefined => {
  if (!types.includes(type.toLowerCase()) && !extensions.includes(getExtension(name)))
    return "This file type isn't supported."
  if (size === 0) return 'The file is empty.'
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
