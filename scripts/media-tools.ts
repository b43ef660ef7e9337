import type { Tool } from '@confetti/backends'

/** What the media worker calls. */
export const mediaTools: readonly Tool[] = [
  { program: 'ffmpeg', debianPackage: 'ffmpeg' },
  { program: 'heif-convert', debianPackage: 'libheif-examples' },
]
