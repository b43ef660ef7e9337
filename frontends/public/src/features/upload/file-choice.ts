import { MB, mediaTypes } from '@confetti/contracts'

const types = Object.keys(mediaTypes)
const extensions = Object.values(mediaTypes)
  .flat()
  .map((extension) => `.${extension}`)

/** What the picker offers. The extensions stand beside the types because phones know some of them by name alone. */
export const accept = [...types, ...extensions].join(',')

const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.')).toLowerCase()

/** Why a file cannot be sent, or nothing if it can. Phones give a HEIC no type, so its extension speaks for it. */
export const reasonAgainst = ({
  name,
  type,
  size,
}: Pick<File, 'name' | 'type' | 'size'>): string | undefined => {
  if (!types.includes(type.toLowerCase()) && !extensions.includes(extensionOf(name)))
    return 'This kind of file cannot be sent.'
  if (size === 0) return 'The file is empty.'
  return undefined
}

/** Whether a file was chosen twice, as far as one can tell without reading it. */
export const isSame = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified

export const isVideoFile = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  type.startsWith('video/') ||
  [...mediaTypes['video/mp4'], ...mediaTypes['video/quicktime']].some(
    (own) => extensionOf(name) === `.${own}`,
  )

export const sizeText = (bytes: number): string => `${(bytes / MB).toFixed(2)} MB`
