import { toSafeFolderName } from '../domain/file-names.ts'

interface NamedUpload {
  /** As in the API: the last segment is the name in an archive. */
  filename: string
  photoCredit: string
}

/** How two folder names compare on Windows and macOS. */
const keyOf = (folder: string): string => folder.normalize('NFC').toLowerCase()

/** A distinct folder for each credit, also where case is ignored: credits that differ only in case get numbers. */
const createFolders = (): ((photoCredit: string) => string) => {
  const folders = new Map<string, string>()
  const taken = new Set<string>()
  /** By the key of a name: the number to try next, so that thousands of like credits take no longer than others. */
  const nextNumbers = new Map<string, number>()
  return (photoCredit) => {
    const known = folders.get(photoCredit)
    if (known !== undefined) return known
    const plain = toSafeFolderName(photoCredit)
    let folder = plain
    while (taken.has(keyOf(folder))) {
      const number = nextNumbers.get(keyOf(plain)) ?? 2
      nextNumbers.set(keyOf(plain), number + 1)
      folder = toSafeFolderName(photoCredit, String(number))
    }
    taken.add(keyOf(folder))
    folders.set(photoCredit, folder)
    return folder
  }
}

/** Creates the function that names the entries of one archive, in their order. */
export const createEntryNames = (folders: 'none' | 'credit'): ((upload: NamedUpload) => string) => {
  const getFolder = createFolders()
  return ({ filename, photoCredit }) => {
    // Unique in its event, and safe on Windows, macOS and Linux.
    const name = filename.split('/').at(-1) ?? filename
    return folders === 'none' ? name : `${getFolder(photoCredit)}/${name}`
  }
}
