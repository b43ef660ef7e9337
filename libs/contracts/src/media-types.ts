interface MediaTypeRow {
  /** File extensions, the most common one first. */
  extensions: readonly [string, ...string[]]
  /** Extensions that few devices write, which say less than the first bytes. */
  otherExtensions?: readonly string[]
  /** Other names of the type, which browsers and `file-type` give to its variants. */
  otherNames: readonly string[]
  /** What its first 12 bytes look like, one character for each. */
  head: RegExp
}

/** The accepted content types: all that is known of each, by everybody who asks. */
export const mediaTypes = {
  'image/jpeg': {
    extensions: ['jpg', 'jpeg'],
    otherExtensions: ['jfif', 'jpe'],
    otherNames: [],
    head: /^\xff\xd8\xff/,
  },
  'image/png': { extensions: ['png'], otherNames: ['image/apng'], head: /^\x89PNG/ },
  'image/gif': { extensions: ['gif'], otherNames: [], head: /^GIF8/ },
  'image/webp': { extensions: ['webp'], otherNames: [], head: /^RIFF.{4}WEBP/s },
  'image/heic': {
    extensions: ['heic', 'heif'],
    // Of Sony and Canon, and of bursts.
    otherExtensions: ['hif', 'heics'],
    otherNames: ['image/heif', 'image/heic-sequence', 'image/heif-sequence'],
    head: /^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s,
  },
  'video/mp4': {
    extensions: ['mp4', 'm4v'],
    // Many Android phones write MP4 with the brand 3gp4, 3gp5 or 3gp6.
    otherNames: ['video/x-m4v', 'video/3gpp'],
    // Not HEIC and QuickTime, nor what is not accepted: audio, AVIF, raw photos of Canon, videos of phones without GSM.
    head: /^.{4}ftyp(?!hei[cxms]|hev[cxms]|mif1|msf1|qt {2}|M4A |M4B |F4A |F4B |avi[fs]|crx |3g2)/s,
  },
  'video/quicktime': {
    extensions: ['mov', 'qt'],
    otherNames: [],
    head: /^.{4}(?:ftypqt {2}|moov|mdat|wide|free)/s,
  },
} as const satisfies Readonly<Record<string, MediaTypeRow>>

export type MediaType = keyof typeof mediaTypes

/** The rows, as a list. */
export const mediaTypeRows: readonly (MediaTypeRow & { type: MediaType })[] = Object.entries(mediaTypes).map(
  ([type, row]) => ({ type: type as MediaType, ...row }),
)

export const isVideo = (type: MediaType): type is Extract<MediaType, `video/${string}`> =>
  type.startsWith('video/')
