import type { Tool } from '@confetti/backends'

/** The programs that the media worker runs. */
export const mediaTools: readonly Tool[] = [
  { program: 'ffmpeg', debianPackage: 'ffmpeg' },
  { program: 'heif-convert', debianPackage: 'libheif-examples' },
]
