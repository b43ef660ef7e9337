/** The accepted content types and the file extensions of each, the most common one first. */
export const mediaTypes = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/heic': ['heic', 'heif'],
  'video/mp4': ['mp4', 'm4v'],
  'video/quicktime': ['mov', 'qt'],
} as const

export type MediaType = keyof typeof mediaTypes

export const isMediaType = (type: string): type is MediaType => type in mediaTypes

export const isVideo = (type: MediaType): type is Extract<MediaType, `video/${string}`> =>
  type.startsWith('video/')
