import { withTimeout } from '@confetti/api-client'
import { mediaTypeRows } from '@confetti/contracts'
import { isSupported } from './file-validation.ts'

const HEAD_BYTES = 12
/** The file may be in a cloud. */
const READ_TIMEOUT_MS = 5_000

/** Returns the type that the first bytes of a file stand for, if it is a supported one. */
export const detectType = (head: Uint8Array): string | undefined => {
  const text = String.fromCharCode(...head)
  return mediaTypeRows.find(({ head: pattern }) => pattern.test(text))?.type
}

const readHead = async (file: File): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())

/** Returns the file with the type of its first bytes, unless its own type or its extension is supported. */
export const recogniseType = async (file: File): Promise<File> => {
  if (isSupported(file)) return file
  const { name, lastModified } = file
  const type = await withTimeout(
    READ_TIMEOUT_MS,
    () => new Error('The file cannot be read.'),
    async () => detectType(await readHead(file)),
  ).catch(() => undefined)
  return type === undefined ? file : new File([file], name, { type, lastModified })
}

export const recogniseTypes = (files: readonly File[]): Promise<File[]> =>
  Promise.all(files.map(recogniseType))
