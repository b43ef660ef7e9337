import { isVideo, mediaTypes, type MediaType } from '@confetti/contracts'
import type { StoredUpload } from './upload.ts'

const encoder = new TextEncoder()
const bytesOf = (text: string): number => encoder.encode(text).length

const shorten = (text: string, maxBytes: number): string => {
  // Each has a byte at least: of a name as long as a form may have it, most goes at once.
  const characters = [...text].slice(0, maxBytes)
  while (bytesOf(characters.join('')) > maxBytes) characters.pop()
  return characters.join('')
}

const split = (name: string): { stem: string; extension: string } => {
  const dot = name.lastIndexOf('.')
  return dot > 0 && name.length - dot <= 12
    ? { stem: name.slice(0, dot), extension: name.slice(dot) }
    : { stem: name, extension: '' }
}

const shortenStem = (name: string, maxBytes: number): string => {
  const { stem, extension } = split(name)
  return shorten(stem, maxBytes - bytesOf(extension)) + extension
}

/** The name of a file as sent: its last path segment, NFC, without control characters, at most 255 bytes. */
export const toOriginalName = (sent: string): string => {
  const segment = sent.split(/[/\\]/).at(-1) ?? ''
  const clean = segment
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .normalize('NFC')
    .trim()
  return shortenStem(clean || 'unnamed', 255)
}

// Not allowed in names on Windows, or invisible: direction marks and their like can make an .exe look a .jpg. Not the two
// joiners, which are a part of letters and emoji.
const unsafe = /[<>:"/\\|?*]|\p{Cc}|(?![\u200c\u200d])\p{Cf}|\p{Zl}|\p{Zp}/gu
// Joiners join nothing there.
const unsafeStart = /^[.\s\u200c\u200d]+/
const unsafeEnd = /[.\s\u200c\u200d]+$/
const reservedOnWindows = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i

/**
 * A name for the file in a zip: the name that the client sent, safe on Windows, macOS and Linux, with an extension that
 * fits its content, and with `suffix`, if any, before that; at most 255 bytes.
 */
export const toSafeFileName = (originalName: string, contentType: MediaType, suffix = ''): string => {
  const extensions: readonly string[] = mediaTypes[contentType].extensions
  const clean = originalName.replaceAll(unsafe, '').replace(unsafeStart, '').replace(unsafeEnd, '')
  const named = split(clean)
  const fits = extensions.includes(named.extension.slice(1).toLowerCase())
  const extension = fits ? named.extension : `.${extensions[0]}`
  const wholeStem = (fits ? named.stem : clean).replace(unsafeEnd, '') || 'unnamed'
  const stem = reservedOnWindows.test(wholeStem) ? `_${wholeStem}` : wholeStem
  const end = (suffix && `-${suffix}`) + extension
  return shorten(stem, 255 - bytesOf(end)).trimEnd() + end
}

/**
 * A name for a guest's folder in a zip, safe on Windows, macOS and Linux, with `suffix`, if any, at its end; at most 100
 * bytes.
 */
export const toSafeFolderName = (photoCredit: string, suffix = ''): string => {
  const clean = photoCredit.replaceAll(unsafe, '').replace(unsafeStart, '').replace(unsafeEnd, '')
  const named = reservedOnWindows.test(clean) ? `_${clean}` : clean
  const end = suffix && `-${suffix}`
  return (shorten(named, 100 - bytesOf(end)).replace(unsafeEnd, '') || 'unnamed') + end
}

/**
 * The file that a guest can save of an upload; without `blob` if it has not been made. Its name has the time and the credit:
 * what a file was called on the phone of another guest is not theirs to see.
 */
export const saveableFile = ({
  contentType,
  hasRendition,
  copy,
  takenAt,
  uploadedAt,
  photoCredit,
}: Pick<
  StoredUpload,
  'contentType' | 'hasRendition' | 'copy' | 'takenAt' | 'uploadedAt' | 'photoCredit'
>) => {
  const time = (takenAt ?? uploadedAt.toISOString()).slice(0, 19).replace('T', ' ').replaceAll(':', '.')
  const stem = `${time} ${toSafeFolderName(photoCredit)}`
  return isVideo(contentType)
    ? ({
        name: `${stem}.mp4`,
        contentType: 'video/mp4',
        blob: hasRendition ? 'rendition' : undefined,
      } as const)
    : ({ name: `${stem}.jpg`, contentType: 'image/jpeg', blob: copy ? 'copy' : undefined } as const)
}
